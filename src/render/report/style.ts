/** The style of the report: light or dark as the reader's system, without external fonts or images. */

export const style = `
:root {
  color-scheme: light dark;
  --ground: #f6f7f9; --paper: #ffffff; --ink: #1b2130; --soft: #5a6478; --line: #dbe0e8;
  --ok: #146c3f; --ok-ground: #e8f5ee; --fail: #b3261e; --fail-ground: #fdecea;
  --warn: #8a5a00; --warn-ground: #fff4dc; --skip: #5a6478; --skip-ground: #eef0f4; --code: #eef1f6; --edge: #7d879a;
  --link: #0a58a8; --bar: #8fa3c2; --critical: #b35900; --critical-ground: #fbeedd;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --ground: #10141c; --paper: #171d28; --ink: #e6eaf2; --soft: #9aa6ba; --line: #2b3444;
    --ok: #5fd39a; --ok-ground: #13291f; --fail: #ff8f85; --fail-ground: #351a1a;
    --warn: #f0be5c; --warn-ground: #30260f; --skip: #9aa6ba; --skip-ground: #202836; --code: #222b3a; --edge: #7f8ba1;
    --link: #82b8f5; --bar: #5d7396; --critical: #f0a050; --critical-ground: #3a2a14;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
main { max-width: 1280px; margin: 0 auto; padding: 32px 24px 64px; }
h1 { font-size: 26px; line-height: 1.25; margin: 0 0 4px; letter-spacing: -0.01em; overflow-wrap: anywhere; }
h2 { font-size: 18px; margin: 36px 0 12px; }
h3 { font-size: 15px; margin: 0 0 6px; overflow-wrap: anywhere; }
p { margin: 0 0 8px; }
.soft { color: var(--soft); }
.facts { display: flex; flex-wrap: wrap; gap: 4px 28px; margin: 12px 0 0; padding: 0; color: var(--soft); font-size: 13.5px; }
.facts div { display: flex; gap: 6px; min-width: 0; }
.facts dt { flex: none; } .facts dd { margin: 0; color: var(--ink); overflow-wrap: anywhere; }
.verdict { margin: 20px 0 0; padding: 16px 20px; border-radius: 10px; border: 1px solid; font-size: 17px; font-weight: 600; }
.verdict.failed { color: var(--fail); background: var(--fail-ground); } .verdict.warning { color: var(--warn); background: var(--warn-ground); }
.verdict.passed { color: var(--ok); background: var(--ok-ground); } .verdict.skipped { color: var(--skip); background: var(--skip-ground); }
.verdict span { display: block; font-size: 14px; font-weight: 400; color: var(--ink); }
.finding, .panel { background: var(--paper); border: 1px solid var(--line); border-radius: 10px; }
.finding { padding: 16px 20px; margin: 0 0 12px; border-left: 5px solid var(--line); }
.finding.failed { border-left-color: var(--fail); } .finding.warning { border-left-color: var(--warn); }
.finding dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 2px 16px; margin: 0; }
.finding dt { color: var(--soft); } .finding dd { margin: 0; overflow-wrap: anywhere; }
.panel { overflow-x: auto; } .panel:focus-visible { outline: 2px solid var(--ink); outline-offset: 2px; }
.drawing { padding: 12px; } .drawing svg { display: block; max-width: none; }
code { font: 0.9em/1.45 ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; background: var(--code); border-radius: 4px; padding: 1px 4px; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
caption { text-align: left; padding: 12px 16px; color: var(--soft); }
th, td { text-align: left; vertical-align: top; padding: 7px 16px; border-top: 1px solid var(--line); }
thead th { color: var(--soft); font-weight: 500; border-top: 0; }
tbody th[scope="rowgroup"] { background: var(--ground); font-size: 14.5px; }
td, th { overflow-wrap: anywhere; } td:first-child { width: 72px; } .checks td:nth-child(2) { width: 34%; }
td .soft, th .soft { font-size: 13px; font-weight: 400; }
.hidden { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
a { color: var(--link); }
ul.panel { margin: 0; padding: 10px 20px 10px 36px; } ul.panel li { margin: 4px 0; overflow-wrap: anywhere; }
details.panel { margin: 0 0 8px; } .panel + details.panel { margin-top: 12px; }
summary .soft { font-weight: 400; margin-left: 8px; } summary { padding: 10px 16px; cursor: pointer; font-weight: 600; } summary:focus-visible { outline: 2px solid var(--ink); outline-offset: -2px; }
details > table { border-top: 1px solid var(--line); }
.chain { display: flex; flex-wrap: wrap; gap: 4px 10px; margin: 0 0 12px; padding: 0; list-style: none; font-size: 14px; }
.chain li { background: var(--critical-ground); border-radius: 6px; padding: 2px 9px; overflow-wrap: anywhere; }
.chain li + li::before { content: "→ "; color: var(--soft); }
.gantt td, .gantt th[scope="row"] { padding-top: 4px; padding-bottom: 4px; } .gantt th[scope="row"] { width: 36%; font-weight: 400; } .gantt tr.critical th[scope="row"] { font-weight: 600; }
.gantt td:nth-child(2) { width: 96px; white-space: nowrap; } .gantt .axis { padding: 7px 16px 7px 0; }
.ticks { display: flex; } .ticks span { flex: 1; font-size: 12px; }
.track { background: linear-gradient(to right, var(--line) 1px, transparent 1px) 0 0 / 25% 100% content-box content-box; padding: 0 16px 0 0; vertical-align: middle; }
.bar { position: relative; height: 14px; min-width: 3px; border-radius: 3px; background: var(--bar); overflow: hidden; }
.critical .bar { background: var(--critical); } tr.failed .bar { background: var(--fail); }
.bar .wait, .key.wait { background: repeating-linear-gradient(135deg, var(--paper) 0 2px, transparent 2px 6px); } .bar .wait { position: absolute; top: 0; bottom: 0; }
.key { display: inline-block; width: 22px; height: 10px; border-radius: 3px; background: var(--bar); margin: 0 4px 0 12px; }
.key.critical { background: var(--critical); } .key.wait { background-color: var(--bar); }
.state { display: inline-block; min-width: 44px; padding: 0 7px; border-radius: 999px; text-align: center; font-size: 12.5px; font-weight: 600; }
.state.failed { color: var(--fail); background: var(--fail-ground); } .state.warning { color: var(--warn); background: var(--warn-ground); }
.state.passed { color: var(--ok); background: var(--ok-ground); } .state.skipped { color: var(--skip); background: var(--skip-ground); }
svg text { fill: var(--ink); font: 12px system-ui, -apple-system, "Segoe UI", sans-serif; }
svg .detail { fill: var(--soft); font-size: 10.5px; } svg .panel > text { font-weight: 600; font-size: 11.5px; }
svg rect { fill: var(--paper); stroke: var(--line); stroke-width: 1.2; }
svg .panel.passed > rect { stroke: none; }
svg .edge { fill: none; stroke: var(--edge); stroke-width: 1.4; }
svg .ground { fill: var(--skip); } svg .sign { fill: none; stroke: var(--paper); stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
svg .passed .ground { fill: var(--ok); } svg .failed .ground { fill: var(--fail); } svg .warning .ground { fill: var(--warn); }
svg .failed > rect { fill: var(--fail-ground); stroke: var(--fail); stroke-width: 1.6; }
svg .warning > rect { fill: var(--warn-ground); stroke: var(--warn); }
svg .skipped > rect { fill: var(--skip-ground); stroke: var(--edge); stroke-dasharray: 4 3; } svg .unknown > rect { stroke-dasharray: 2 3; }
svg g.panel > rect { fill: var(--ground); } svg .panel.skipped > rect, svg .panel.unknown > rect { stroke: none; }
svg .edge.failed { stroke: var(--fail); stroke-width: 2.4; } svg .edge.skipped { stroke-dasharray: 2 4; }
.hint { display: none; } .flow { container: drawing / inline-size; }
@media (max-width: 720px) {
  main { padding: 20px 14px 48px; } h1 { font-size: 22px; }
  .finding dl { grid-template-columns: minmax(0, 1fr); } .finding dd { margin-bottom: 6px; }
  thead { position: absolute; clip-path: inset(50%); } .gantt th[scope="row"], .gantt td:nth-child(2) { width: auto; }
  .gantt .track { margin: 0 14px 4px; padding: 0; } tbody th[scope="row"] { padding: 2px 14px; } tr, td, tbody th { display: block; } td { border: 0; padding: 2px 14px; width: auto !important; }
  tr { border-top: 1px solid var(--line); padding: 8px 0; } tbody th { border: 0; }
}
@page { size: A4 landscape; margin: 12mm; }
@media print {
  :root { color-scheme: light; }
  body { background: none; font-size: 12px; } main { max-width: none; padding: 0; } .finding, tr { break-inside: avoid; }
  h2, tbody th { break-after: avoid; } table { font-size: 11px; } th, td { padding: 3px 8px; } td .soft { font-size: 10px; }
  details::details-content { content-visibility: visible; height: auto; } * { print-color-adjust: exact; } a { color: inherit; }
  .panel { overflow: visible; } .drawing { padding: 0; border: 0; break-inside: avoid; }
  .drawing svg { width: 100%; height: auto; max-height: 170mm; }
}
`;
