// Calls of Azure's SDK for Go on what `create all` makes. Prints `ok` or `FAILED:` for each.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
	"github.com/Azure/azure-sdk-for-go/sdk/keyvault/azsecrets"
	"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/authorization/armauthorization/v2"
	"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/dns/armdns"
	"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/keyvault/armkeyvault"
	"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/msi/armmsi"
	"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/network/armnetwork/v2"
	"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/privatedns/armprivatedns"
	"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/resources/armresources"
	"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/storage/armstorage"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob"
)

const (
	region       = "eastus"
	commonGroup  = "demo-common"
	networkGroup = "demo-demo-x7k2-vnet"
	network      = "demo-demo-x7k2"
	issuerGroup  = "demo-oidc"
	account      = "goclients7"
)

var (
	ctx          = context.Background()
	subscription = os.Getenv("AZURE_SUBSCRIPTION_ID")
	scope        = "/subscriptions/" + subscription
	often        = &runtime.PollUntilDoneOptions{Frequency: time.Second}
)

func main() {
	credential, err := azidentity.NewEnvironmentCredential(nil)
	if err != nil {
		fmt.Println("FAILED: credential", err)
		os.Exit(1)
	}
	checks := []struct {
		name  string
		check func(azcore.TokenCredential) error
	}{
		{"groups", groups}, {"networks", networks}, {"load balancers", loadBalancers}, {"public zones", publicZones},
		{"private zones", privateZones}, {"identities", identities}, {"roles", roles}, {"vaults", vaults}, {"secrets", secrets},
		{"accounts and blobs", accountsAndBlobs},
	}
	failed := false
	for _, each := range checks {
		if err := each.check(credential); err != nil {
			failed = true
			fmt.Println("FAILED:", each.name, err)
		} else {
			fmt.Println("ok", each.name)
		}
	}
	if failed {
		os.Exit(1)
	}
}

func holds(found, wanted string) error {
	if strings.Contains(found, wanted) {
		return nil
	}
	return fmt.Errorf("%q is not in %q", wanted, found)
}

func refusedWith(err error, code string) error {
	var refusal *azcore.ResponseError
	if errors.As(err, &refusal) && refusal.ErrorCode == code {
		return nil
	}
	return fmt.Errorf("%v instead of %s", err, code)
}

// done waits for an operation.
func done[T any](poller *runtime.Poller[T], err error) (T, error) {
	if err != nil {
		var none T
		return none, err
	}
	return poller.PollUntilDone(ctx, often)
}

// all joins what `text` shows of each page.
func all[T any](pager *runtime.Pager[T], text func(T) string) (string, error) {
	joined := ""
	for pager.More() {
		page, err := pager.NextPage(ctx)
		if err != nil {
			return "", err
		}
		joined += text(page) + "\n"
	}
	return joined, nil
}

func groups(credential azcore.TokenCredential) error {
	client, err := armresources.NewResourceGroupsClient(subscription, credential, nil)
	if err != nil {
		return err
	}
	if _, err := client.Get(ctx, "nowhere", nil); err == nil || refusedWith(err, "ResourceGroupNotFound") != nil {
		return refusedWith(err, "ResourceGroupNotFound")
	}
	if _, err := client.CreateOrUpdate(ctx, "go", armresources.ResourceGroup{Location: to.Ptr(region)}, nil); err != nil {
		return err
	}
	if _, err := done(client.BeginDelete(ctx, "go", nil)); err != nil {
		return err
	}
	existence, err := client.CheckExistence(ctx, "go", nil)
	if err == nil && existence.Success {
		return errors.New("the deleted group exists")
	}
	return err
}

func networks(credential azcore.TokenCredential) error {
	client, err := armnetwork.NewSubnetsClient(subscription, credential, nil)
	if err != nil {
		return err
	}
	body := armnetwork.Subnet{Properties: &armnetwork.SubnetPropertiesFormat{AddressPrefix: to.Ptr("10.0.7.0/24")}}
	created, err := done(client.BeginCreateOrUpdate(ctx, networkGroup, network, "go", body, nil))
	if err != nil {
		return err
	}
	if err := holds(string(*created.Properties.ProvisioningState), "Succeeded"); err != nil {
		return err
	}
	_, err = done(client.BeginDelete(ctx, networkGroup, network, "go", nil))
	return err
}

func loadBalancers(credential azcore.TokenCredential) error {
	client, err := armnetwork.NewLoadBalancersClient(subscription, credential, nil)
	if err != nil {
		return err
	}
	balancer, err := client.Get(ctx, network, "demo-x7k2", nil)
	if err != nil {
		return err
	}
	// As hypershift and the cloud provider do: what was read is sent back.
	_, err = done(client.BeginCreateOrUpdate(ctx, network, "demo-x7k2", balancer.LoadBalancer, nil))
	return err
}

func publicZones(credential azcore.TokenCredential) error {
	client, err := armdns.NewRecordSetsClient(subscription, credential, nil)
	if err != nil {
		return err
	}
	record := armdns.RecordSet{Properties: &armdns.RecordSetProperties{TTL: to.Ptr[int64](60), ARecords: []*armdns.ARecord{{IPv4Address: to.Ptr("192.0.2.9")}}}}
	if _, err := client.CreateOrUpdate(ctx, "dns", "hcp.example.com", "go", armdns.RecordTypeA, record, nil); err != nil {
		return err
	}
	_, err = client.Delete(ctx, "dns", "hcp.example.com", "go", armdns.RecordTypeA, nil)
	return err
}

func privateZones(credential azcore.TokenCredential) error {
	client, err := armprivatedns.NewPrivateZonesClient(subscription, credential, nil)
	if err != nil {
		return err
	}
	zone := armprivatedns.PrivateZone{Location: to.Ptr("global")}
	if _, err := done(client.BeginCreateOrUpdate(ctx, "dns", "go.internal", zone, nil)); err != nil {
		return err
	}
	_, err = done(client.BeginDelete(ctx, "dns", "go.internal", nil))
	return err
}

func identities(credential azcore.TokenCredential) error {
	client, err := armmsi.NewUserAssignedIdentitiesClient(subscription, credential, nil)
	if err != nil {
		return err
	}
	if _, err := client.Get(ctx, commonGroup, "go-pod", nil); refusedWith(err, "ResourceNotFound") != nil {
		return refusedWith(err, "ResourceNotFound")
	}
	created, err := client.CreateOrUpdate(ctx, commonGroup, "go-pod", armmsi.Identity{Location: to.Ptr(region)}, nil)
	if err != nil {
		return err
	}
	if created.Properties.ClientID == nil || created.Properties.PrincipalID == nil {
		return errors.New("the identity has no IDs")
	}
	_, err = client.Delete(ctx, commonGroup, "go-pod", nil)
	return err
}

func roles(credential azcore.TokenCredential) error {
	definitions, err := armauthorization.NewRoleDefinitionsClient(credential, nil)
	if err != nil {
		return err
	}
	filter := &armauthorization.RoleDefinitionsClientListOptions{Filter: to.Ptr("roleName eq 'Contributor'")}
	text, err := all(definitions.NewListPager(scope, filter), func(page armauthorization.RoleDefinitionsClientListResponse) string {
		return *page.Value[0].Properties.RoleName
	})
	if err != nil {
		return err
	}
	return holds(text, "Contributor")
}

func vaults(credential azcore.TokenCredential) error {
	client, err := armkeyvault.NewVaultsClient(subscription, credential, nil)
	if err != nil {
		return err
	}
	body := armkeyvault.VaultCreateOrUpdateParameters{Location: to.Ptr(region), Properties: &armkeyvault.VaultProperties{
		TenantID:                to.Ptr(os.Getenv("AZURE_TENANT_ID")),
		SKU:                     &armkeyvault.SKU{Family: to.Ptr(armkeyvault.SKUFamilyA), Name: to.Ptr(armkeyvault.SKUNameStandard)},
		EnableRbacAuthorization: to.Ptr(true),
	}}
	if _, err := done(client.BeginCreateOrUpdate(ctx, commonGroup, "go-vault-7", body, nil)); err != nil {
		return err
	}
	if _, err := client.Delete(ctx, commonGroup, "go-vault-7", nil); err != nil {
		return err
	}
	_, err = done(client.BeginPurgeDeleted(ctx, "go-vault-7", region, nil))
	return err
}

func secrets(credential azcore.TokenCredential) error {
	client, err := azsecrets.NewClient("https://kv-demo-319613.vault.azure.net", credential, nil)
	if err != nil {
		return err
	}
	secret, err := client.GetSecret(ctx, "demo-cpo", "", nil)
	if err != nil {
		return err
	}
	return holds(*secret.Value, "client_id")
}

func accountsAndBlobs(credential azcore.TokenCredential) error {
	accounts, err := armstorage.NewAccountsClient(subscription, credential, nil)
	if err != nil {
		return err
	}
	body := armstorage.AccountCreateParameters{
		Kind: to.Ptr(armstorage.KindStorageV2), Location: to.Ptr(region), SKU: &armstorage.SKU{Name: to.Ptr(armstorage.SKUNameStandardLRS)},
	}
	if _, err := done(accounts.BeginCreate(ctx, issuerGroup, account, body, nil)); err != nil {
		return err
	}
	containers, err := armstorage.NewBlobContainersClient(subscription, credential, nil)
	if err != nil {
		return err
	}
	if _, err := containers.Get(ctx, issuerGroup, account, "files", nil); refusedWith(err, "ContainerNotFound") != nil {
		return refusedWith(err, "ContainerNotFound")
	}
	if _, err := containers.Create(ctx, issuerGroup, account, "files", armstorage.BlobContainer{}, nil); err != nil {
		return err
	}
	keys, err := accounts.ListKeys(ctx, issuerGroup, account, nil)
	if err != nil {
		return err
	}
	key, err := azblob.NewSharedKeyCredential(account, *keys.Keys[0].Value)
	if err != nil {
		return err
	}
	blobs, err := azblob.NewClientWithSharedKeyCredential("https://"+account+".blob.core.windows.net", key, nil)
	if err != nil {
		return err
	}
	tags := map[string]string{"openshift.io_cloud-credential-operator_go": "owned"}
	if _, err := blobs.UploadBuffer(ctx, "files", "openid/v1/jwks", []byte("{}"), &azblob.UploadBufferOptions{Tags: tags}); err != nil {
		return err
	}
	if _, err := blobs.DeleteBlob(ctx, "files", "openid/v1/jwks", nil); err != nil {
		return err
	}
	_, err = accounts.Delete(ctx, issuerGroup, account, nil)
	return err
}
