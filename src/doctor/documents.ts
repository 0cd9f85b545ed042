/** The documents of doctor: loaded where a schema or the reader of a file is needed. */
import { verificationResult } from "../files/results/reads.js";

export const results = {
  doctor: verificationResult,
  "doctor management-cluster": verificationResult,
  "doctor service-cluster": verificationResult,
};
