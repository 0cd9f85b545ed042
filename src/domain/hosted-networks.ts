/** The networks inside a hosted cluster: hypershift's defaults for `--cluster-cidr` and `--service-cidr`. */
export const hostedPodNetwork = "10.132.0.0/14";
export const hostedServiceNetwork = "172.31.0.0/16";
