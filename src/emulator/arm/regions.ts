/** The emulated regions: a selection of the public cloud's. */

export interface Region {
  readonly name: string;
  readonly displayName: string;
  readonly geographyGroup: string;
  /** As Azure words it: a city, a state or a country. */
  readonly physicalLocation: string;
  readonly longitude: string;
  readonly latitude: string;
  /** Where geo-redundant storage has its second copy; younger regions have no pair. */
  readonly pairedRegion: string | undefined;
  readonly regionCategory: "Recommended" | "Other";
}

type Row = readonly [
  name: string,
  displayName: string,
  geographyGroup: string,
  physicalLocation: string,
  longitude: string,
  latitude: string,
  pairedRegion?: string,
];

const recommended: readonly Row[] = [
  ["eastus", "East US", "US", "Virginia", "-79.8164", "37.3719", "westus"],
  ["eastus2", "East US 2", "US", "Virginia", "-78.3889", "36.6681", "centralus"],
  ["centralus", "Central US", "US", "Iowa", "-93.6208", "41.5908", "eastus2"],
  ["southcentralus", "South Central US", "US", "Texas", "-98.5", "29.4167", "northcentralus"],
  ["westus2", "West US 2", "US", "Washington", "-119.852", "47.233", "westcentralus"],
  ["westus3", "West US 3", "US", "Phoenix", "-112.074036", "33.448376", "eastus"],
  ["canadacentral", "Canada Central", "Canada", "Toronto", "-79.383", "43.653", "canadaeast"],
  ["brazilsouth", "Brazil South", "South America", "Sao Paulo State", "-46.633", "-23.55", "southcentralus"],
  ["northeurope", "North Europe", "Europe", "Ireland", "-6.2597", "53.3478", "westeurope"],
  ["westeurope", "West Europe", "Europe", "Netherlands", "4.9", "52.3667", "northeurope"],
  ["uksouth", "UK South", "Europe", "London", "-0.799", "50.941", "ukwest"],
  ["francecentral", "France Central", "Europe", "Paris", "2.3730", "46.3772", "francesouth"],
  ["germanywestcentral", "Germany West Central", "Europe", "Frankfurt", "8.682127", "50.110924", "germanynorth"],
  ["swedencentral", "Sweden Central", "Europe", "Gävle", "17.14127", "60.67488", "swedensouth"],
  ["switzerlandnorth", "Switzerland North", "Europe", "Zurich", "8.564572", "47.451542", "switzerlandwest"],
  ["norwayeast", "Norway East", "Europe", "Norway", "10.752245", "59.913868", "norwaywest"],
  ["italynorth", "Italy North", "Europe", "Milan", "9.18109", "45.46888"],
  ["spaincentral", "Spain Central", "Europe", "Madrid", "3.4209", "40.4259"],
  ["uaenorth", "UAE North", "Middle East", "Dubai", "55.316666", "25.266666", "uaecentral"],
  ["southafricanorth", "South Africa North", "Africa", "Johannesburg", "28.218370", "-25.731340", "southafricawest"],
  ["centralindia", "Central India", "Asia Pacific", "Pune", "73.9197", "18.5822", "southindia"],
  ["eastasia", "East Asia", "Asia Pacific", "Hong Kong", "114.188", "22.267", "southeastasia"],
  ["southeastasia", "Southeast Asia", "Asia Pacific", "Singapore", "103.833", "1.283", "eastasia"],
  ["japaneast", "Japan East", "Asia Pacific", "Tokyo, Saitama", "139.77", "35.68", "japanwest"],
  ["koreacentral", "Korea Central", "Asia Pacific", "Seoul", "126.9780", "37.5665", "koreasouth"],
  // Azure tries out new versions of its services in this one and its pair.
  ["eastus2euap", "East US 2 EUAP", "US", "", "-78.3889", "36.6681", "centraluseuap"],
  ["australiaeast", "Australia East", "Asia Pacific", "New South Wales", "151.2094", "-33.86", "australiasoutheast"],
];

const other: readonly Row[] = [
  ["northcentralus", "North Central US", "US", "Illinois", "-87.6278", "41.8819", "southcentralus"],
  ["westcentralus", "West Central US", "US", "Wyoming", "-110.234", "40.890", "westus2"],
  ["westus", "West US", "US", "California", "-122.417", "37.783", "eastus"],
  ["canadaeast", "Canada East", "Canada", "Quebec", "-71.217", "46.817", "canadacentral"],
  ["ukwest", "UK West", "Europe", "Cardiff", "-3.084", "53.427", "uksouth"],
  ["polandcentral", "Poland Central", "Europe", "Warsaw", "21.01666", "52.23334"],
  ["southindia", "South India", "Asia Pacific", "Chennai", "80.1636", "12.9822", "centralindia"],
  ["japanwest", "Japan West", "Asia Pacific", "Osaka", "135.5022", "34.6939", "japaneast"],
  ["australiasoutheast", "Australia Southeast", "Asia Pacific", "Victoria", "144.9631", "-37.8136", "australiaeast"],
  ["centraluseuap", "Central US EUAP", "US", "", "-93.6208", "41.5908", "eastus2euap"],
];

function region(regionCategory: Region["regionCategory"]): (row: Row) => Region {
  return ([name, displayName, geographyGroup, physicalLocation, longitude, latitude, pairedRegion]) => ({
    name,
    displayName,
    geographyGroup,
    physicalLocation,
    longitude,
    latitude,
    pairedRegion,
    regionCategory,
  });
}

export const allRegions: readonly Region[] = [...recommended.map(region("Recommended")), ...other.map(region("Other"))];

export function pairOf(location: string): string | undefined {
  return allRegions.find(({ name }) => name === location)?.pairedRegion;
}
