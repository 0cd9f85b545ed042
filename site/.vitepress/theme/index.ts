/** The default theme, with room for tables and code. */
import theme from "vitepress/theme";
import "./style.css";

export default theme;
