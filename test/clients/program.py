"""Calls of Azure's newest SDKs for Python on what `create all` makes. Prints `ok`, `skipped:` or `FAILED:` for each."""

import os
import sys
import traceback

from azure.core.exceptions import HttpResponseError, ResourceNotFoundError
from azure.identity import CertificateCredential, DefaultAzureCredential, EnvironmentCredential

SUBSCRIPTION = os.environ["AZURE_SUBSCRIPTION_ID"]
SCOPE = "/subscriptions/" + SUBSCRIPTION
VAULT = "https://kv-demo-319613.vault.azure.net"
credential = EnvironmentCredential()
checks = []


def check(test):
    checks.append(test)
    return test


def same(found, wanted):
    assert found == wanted, "%r instead of %r" % (found, wanted)


def holds(found, wanted):
    assert wanted in found, "%r is not in %r" % (wanted, found)


def names(items):
    return [item.name for item in items]


def client(module, name):
    """A management client; its package may be absent."""
    package = __import__("azure.mgmt." + module, fromlist=[name])
    return getattr(package, name)(credential, SUBSCRIPTION)


def resource():
    return client("resource", "ResourceManagementClient")


@check
def default_credential():
    token = DefaultAzureCredential().get_token("https://management.azure.com/.default")
    assert token.token


@check
def groups():
    groups = resource().resource_groups
    holds(names(groups.list()), "demo-common")
    same(groups.check_existence("demo-common"), True)
    same(groups.check_existence("nowhere"), False)
    same(groups.create_or_update("python", {"location": "eastus", "tags": {"a": "b"}}).tags, {"a": "b"})
    groups.begin_delete("python").result()
    same(groups.check_existence("python"), False)


@check
def a_missing_group():
    try:
        resource().resource_groups.get("nowhere")
    except ResourceNotFoundError as error:
        same(error.error.code, "ResourceGroupNotFound")
    else:
        raise AssertionError("it exists")


@check
def resources_and_providers():
    listed = resource().resources.list_by_resource_group("demo-demo-x7k2-vnet")
    holds([item.type.lower() for item in listed], "microsoft.network/virtualnetworks")
    same(resource().providers.get("Microsoft.Network").registration_state, "Registered")


@check
def networks():
    network = client("network", "NetworkManagementClient")
    group, name = "demo-demo-x7k2-vnet", "demo-demo-x7k2"
    same(names(network.subnets.list(group, name)), ["default"])
    subnet = network.subnets.begin_create_or_update(group, name, "python", {"properties": {"addressPrefix": "10.0.8.0/24"}}).result()
    same(subnet.provisioning_state, "Succeeded")
    network.subnets.begin_delete(group, name, "python").result()
    same(names(network.virtual_networks.list_all()), [name])


@check
def security_groups():
    network = client("network", "NetworkManagementClient")
    name = "demo-demo-x7k2-nsg"
    rule = {
        "protocol": "Tcp",
        "access": "Allow",
        "direction": "Inbound",
        "priority": 200,
        "sourceAddressPrefix": "*",
        "sourcePortRange": "*",
        "destinationAddressPrefix": "*",
        "destinationPortRange": "22",
    }
    same(network.security_rules.begin_create_or_update(name, name, "ssh", {"properties": rule}).result().priority, 200)
    network.security_rules.begin_delete(name, name, "ssh").result()
    same(len(network.network_security_groups.get(name, name).default_security_rules), 6)


@check
def load_balancers():
    network = client("network", "NetworkManagementClient")
    balancer = network.load_balancers.get("demo-demo-x7k2", "demo-x7k2")
    same(balancer.sku.name, "Standard")
    pool = network.load_balancer_backend_address_pools.begin_create_or_update("demo-demo-x7k2", "demo-x7k2", "python", {}).result()
    same(pool.name, "python")
    network.load_balancer_backend_address_pools.begin_delete("demo-demo-x7k2", "demo-x7k2", "python").result()
    address = network.public_ip_addresses.begin_create_or_update(
        "demo-demo-x7k2", "python", {"location": "eastus", "sku": {"name": "Standard"}, "properties": {"publicIPAllocationMethod": "Static"}}
    ).result()
    same(address.provisioning_state, "Succeeded")
    network.public_ip_addresses.begin_delete("demo-demo-x7k2", "python").result()


@check
def identities():
    identity = client("msi", "ManagedServiceIdentityClient")
    created = identity.user_assigned_identities.create_or_update("demo-common", "python", {"location": "eastus"})
    assert created.client_id and created.principal_id
    same(names(identity.user_assigned_identities.list_by_resource_group("demo-common")).count("python"), 1)
    identity.user_assigned_identities.delete("demo-common", "python")


@check
def federated_credentials():
    identity = client("msi", "ManagedServiceIdentityClient")
    identity.user_assigned_identities.create_or_update("demo-common", "python", {"location": "eastus"})
    fields = {"issuer": "https://issuer.example.com", "subject": "system:serviceaccount:a:b", "audiences": ["openshift"]}
    identity.federated_identity_credentials.create_or_update("demo-common", "python", "pod", fields)
    same(names(identity.federated_identity_credentials.list("demo-common", "python")), ["pod"])
    identity.federated_identity_credentials.delete("demo-common", "python", "pod")
    identity.user_assigned_identities.delete("demo-common", "python")


@check
def roles():
    authorization = client("authorization", "AuthorizationManagementClient")
    principal = client("msi", "ManagedServiceIdentityClient").user_assigned_identities.get("demo-common", "azure-disk-MI-demo").principal_id
    (reader,) = authorization.role_definitions.list(SCOPE, filter="roleName eq 'Reader'")
    scope, name = SCOPE + "/resourceGroups/dns", "00000000-0000-4000-8000-0000000000aa"
    body = {"properties": {"roleDefinitionId": reader.id, "principalId": principal, "principalType": "ServicePrincipal"}}
    same(authorization.role_assignments.create(scope, name, body).principal_id, principal)
    holds(names(authorization.role_assignments.list_for_scope(scope)), name)
    authorization.role_assignments.delete(scope, name)


@check
def public_zones():
    zones = client("dns", "DnsManagementClient")
    same(zones.zones.get("dns", "hcp.example.com").zone_type, "Public")
    records = {"ttl": 60, "a_records": [{"ipv4_address": "192.0.2.9"}]}
    same(zones.record_sets.create_or_update("dns", "hcp.example.com", "python", "A", records).fqdn, "python.hcp.example.com.")
    holds(names(zones.record_sets.list_by_dns_zone("dns", "hcp.example.com")), "python")
    zones.record_sets.delete("dns", "hcp.example.com", "python", "A")


@check
def private_zones():
    zones = client("privatedns", "PrivateDnsManagementClient")
    group, zone = "demo-demo-x7k2-vnet", "demo-azurecluster.hcp.example.com"
    same([link.virtual_network_link_state for link in zones.virtual_network_links.list(group, zone)], ["Completed"])
    zones.record_sets.create_or_update(group, zone, "A", "python", {"ttl": 60, "a_records": [{"ipv4_address": "10.0.0.9"}]})
    holds(names(zones.record_sets.list(group, zone)), "python")
    zones.record_sets.delete(group, zone, "A", "python")
    same(zones.private_zones.begin_create_or_update("dns", "python.internal", {"location": "global"}).result().provisioning_state, "Succeeded")
    zones.private_zones.begin_delete("dns", "python.internal").result()


@check
def vaults():
    vaults = client("keyvault", "KeyVaultManagementClient").vaults
    same(vaults.get("demo-common", "kv-demo-319613").properties.enable_rbac_authorization, True)
    body = {
        "location": "eastus",
        "properties": {
            "tenantId": os.environ["AZURE_TENANT_ID"],
            "sku": {"name": "standard", "family": "A"},
            "enableRbacAuthorization": True,
        },
    }
    same(vaults.begin_create_or_update("demo-common", "python-vault-7", body).result().properties.provisioning_state, "Succeeded")
    vaults.delete("demo-common", "python-vault-7")
    holds(names(vaults.list_deleted()), "python-vault-7")
    vaults.begin_purge_deleted("python-vault-7", "eastus").result()


@check
def secrets_and_certificates():
    from azure.keyvault.certificates import CertificateClient
    from azure.keyvault.secrets import SecretClient

    secrets = SecretClient(VAULT, credential)
    holds([secret.name for secret in secrets.list_properties_of_secrets()], "demo-cpo")
    certificates = CertificateClient(VAULT, credential)
    holds([certificate.name for certificate in certificates.list_properties_of_certificates()], "demo-cpo-cert")


@check
def sign_in_with_a_certificate():
    """As the control plane does: with the certificate in a vault's secret."""
    import base64
    import json

    from azure.keyvault.secrets import SecretClient

    held = json.loads(SecretClient(VAULT, credential).get_secret("demo-cpo").value)
    found = CertificateCredential(held["tenant_id"], held["client_id"], certificate_data=base64.b64decode(held["client_secret"]))
    assert found.get_token("https://management.azure.com/.default").token


@check
def accounts():
    accounts = client("storage", "StorageManagementClient").storage_accounts
    body = {"sku": {"name": "Standard_LRS"}, "kind": "StorageV2", "location": "eastus"}
    same(accounts.begin_create("demo-oidc", "pyclients7", body).result().provisioning_state, "Succeeded")
    same(accounts.update("demo-oidc", "pyclients7", {"tags": {"a": "b"}}).tags, {"a": "b"})
    same(len(accounts.list_keys("demo-oidc", "pyclients7").keys_property), 2)


@check
def blobs():
    from azure.storage.blob import BlobServiceClient

    accounts = client("storage", "StorageManagementClient").storage_accounts
    key = accounts.list_keys("demo-oidc", "pyclients7").keys_property[0].value
    container = BlobServiceClient("https://pyclients7.blob.core.windows.net", credential=key).create_container("files")
    container.upload_blob("a/b.txt", b"hello")
    same(names(container.list_blobs()), ["a/b.txt"])
    same(container.download_blob("a/b.txt").readall(), b"hello")
    container.delete_blob("a/b.txt")
    accounts.delete("demo-oidc", "pyclients7")


@check
def documents_of_the_issuer():
    from azure.storage.blob import ContainerClient

    published = ContainerClient("https://demo1e0571.blob.core.windows.net", "demo")
    holds(published.download_blob("openid/v1/jwks").readall(), b'"kid"')


failed = False
for test in checks:
    try:
        test()
        print("ok", test.__name__)
    except ImportError as error:
        print("skipped:", test.__name__, "(%s)" % error)
    except (AssertionError, HttpResponseError, Exception) as error:
        failed = True
        print("FAILED:", test.__name__, type(error).__name__, error)
        traceback.print_exc(limit=-2)
sys.exit(1 if failed else 0)
