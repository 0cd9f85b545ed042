/** The official client, set up by a kubeconfig: with a time limit for each answer, until aborted, and errors as failures. */
import { ApiException, createConfiguration, ServerConfiguration, type Configuration, type RequestContext } from "@kubernetes/client-node";
import { plural } from "../text/plural.js";
import type { After } from "./run-clock.js";
import { httpLibrary } from "./http-library.js";
import type { Kubeconfig } from "./kubeconfig.js";
import { kubernetesFailure, signInFailure } from "./refusals.js";
import { longestSignInMs } from "./sign-in-plugin.js";

export interface ApiClient {
  readonly configuration: Configuration;
  /** `what` is the request, for people: "to list nodes". @throws ARO-KUBE-001, 002 or 003, or the reason of the signal */
  ask<T>(what: string, send: () => Promise<T>): Promise<T>;
}

/** Sends nothing yet. */
export function apiClient({ server, config, after }: Pick<Kubeconfig, "server" | "config" | "after">, signal: AbortSignal): ApiClient {
  const configuration = createConfiguration({
    httpApi: httpLibrary(signal, after),
    baseServer: new ServerConfiguration(server.replace(/\/+$/, ""), {}),
    authMethods: {
      default: {
        getName: () => "kubeconfig",
        applySecurityAuthentication: (context: RequestContext) =>
          signedIn(() => config.applySecurityAuthentication(context), signal, after),
      },
    },
  });
  return {
    configuration,
    async ask(what, send) {
      try {
        return await send();
      } catch (error) {
        signal.throwIfAborted();
        throw kubernetesFailure(error, { what, server });
      }
    },
  };
}

/** Undefined for 404. */
export async function undefinedIfAbsent<T>(send: () => Promise<T>): Promise<T | undefined> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof ApiException && error.code === 404) return undefined;
    throw error;
  }
}

/** A plugin that waits for input would wait forever: its prompt is not visible. */
async function signedIn(apply: () => Promise<void>, signal: AbortSignal, after: After): Promise<void> {
  const late = new AbortController();
  const endLimit = after(longestSignInMs, () => late.abort());
  const abort = AbortSignal.any([signal, late.signal]);
  try {
    abort.throwIfAborted();
    await Promise.race([
      apply(),
      new Promise<never>((_, reject) => {
        abort.addEventListener("abort", () => reject(new Error(`no response within ${plural(longestSignInMs / 1000, "second")}`)), {
          once: true,
        });
      }),
    ]);
  } catch (error) {
    throw signInFailure(error);
  } finally {
    endLimit();
  }
}
