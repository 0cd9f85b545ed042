/** The networks inside of a hosted cluster, as hypershift gives them where `--cluster-cidr` and `--service-cidr` do not say otherwise. */
export const hostedPodNetwork = "10.132.0.0/14";
export const hostedServiceNetwork = "172.31.0.0/16";
