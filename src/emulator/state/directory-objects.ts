/** What a tenant's directory has besides applications: users, groups, and service principals in its bin. */
import type { Application } from "./application.js";

/** A user or a group. */
export interface Person {
  kind: "user" | "group";
  id: string;
  displayName: string;
  /** Of a user. */
  userPrincipalName?: string;
  /** Epoch milliseconds. */
  createdAt: number;
  deletedAt?: number;
}

/** A service principal that was deleted without its application, or with its managed identity. */
export interface DeletedPrincipal {
  id: string;
  appId: string;
  displayName: string;
  /** ARM ID of the managed identity that it was of. */
  identity?: string;
  servicePrincipal?: NonNullable<Application["servicePrincipal"]>;
  createdAt: number;
  deletedAt: number;
}
