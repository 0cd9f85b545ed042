/**
 * Loaded into the program with `--require`. RSA keys of 2048 bits come from the file that `MADE_KEYS` names, in turn, because creating them takes half of
 * the CPU time of a run. Longer keys are created: one run creates only one.
 */
"use strict";
const crypto = require("node:crypto");
const { readFileSync } = require("node:fs");
const { promisify } = require("node:util");

const create = promisify(crypto.generateKeyPair);
const keys = readFileSync(process.env.MADE_KEYS, "utf8").split(/(?=-----BEGIN)/);
let next = crypto.randomInt(keys.length);

const keyPair = async (type, options) => {
  if (type !== "rsa" || options.modulusLength !== 2048) return create(type, options);
  const privateKey = crypto.createPrivateKey(keys[next++ % keys.length]);
  const as = (key, encoding) => (encoding === undefined ? key : key.export(encoding));
  return {
    publicKey: as(crypto.createPublicKey(privateKey), options.publicKeyEncoding),
    privateKey: as(privateKey, options.privateKeyEncoding),
  };
};
crypto.generateKeyPair = Object.assign(crypto.generateKeyPair, { [promisify.custom]: keyPair });
