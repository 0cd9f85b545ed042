/** Locations of Azure, which a shell completes. */
export const locations: readonly string[] = [
  ...["eastus", "eastus2", "centralus", "northcentralus", "southcentralus", "westcentralus", "westus", "westus2", "westus3"],
  ...["canadacentral", "canadaeast", "mexicocentral", "brazilsouth", "chilecentral"],
  ...["northeurope", "westeurope", "uksouth", "ukwest", "francecentral", "germanywestcentral", "swedencentral", "switzerlandnorth"],
  ...["norwayeast", "italynorth", "spaincentral", "polandcentral", "austriaeast"],
  ...["uaenorth", "qatarcentral", "israelcentral", "southafricanorth"],
  ...["centralindia", "southindia", "eastasia", "southeastasia", "indonesiacentral", "malaysiawest"],
  ...["japaneast", "japanwest", "koreacentral", "koreasouth", "australiaeast", "australiacentral", "australiasoutheast", "newzealandnorth"],
  ...["usgovvirginia", "usgovarizona", "usgovtexas"],
  ...["chinaeast2", "chinaeast3", "chinanorth2", "chinanorth3"],
];
