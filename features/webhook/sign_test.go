package webhook_test

import (
	"bytes"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"equity/features/webhook"
)

func TestSignaturesMatchTheReferenceVector(t *testing.T) {
	t.Parallel()
	const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	header := http.Header{}
	err := webhook.Sign(header, []string{secret}, "msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 0), []byte(`{"test": 2432232314}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek", "webhook-timestamp": "1614265330",
		"webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
		"Service-Signature": "t=1614265330,v1=2e37df5d4a028c51a7f3133d64ae1e300d2c2c900f1b1d49d4369ad2530f8964",
	} {
		if got := header.Get(name); got != want {
			t.Errorf("%s is %q, not %q", name, got, want)
		}
	}
}

func TestBothSecretsSignDuringRotation(t *testing.T) {
	t.Parallel()
	var secrets []string
	for i := range byte(2) {
		made, err := webhook.NewSecret(bytes.NewReader(bytes.Repeat([]byte{i + 1}, 32)))
		if err != nil {
			t.Fatal(err)
		}
		secrets = append(secrets, made)
	}
	header := http.Header{}
	if err := webhook.Sign(header, secrets, "evt_a", time.Unix(1, 0), []byte(`{}`)); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(header.Get("Webhook-Signature"), "v1,"); n != 2 {
		t.Errorf("%d values in %s", n, header.Get("Webhook-Signature"))
	}
	if n := strings.Count(header.Get("Service-Signature"), "v1="); n != 2 {
		t.Errorf("%d values in %s", n, header.Get("Service-Signature"))
	}
	if err := webhook.Sign(header, []string{"whsec_?"}, "evt_a", time.Unix(1, 0), nil); err == nil {
		t.Error("a damaged secret signed")
	}
}

func TestOnlyPublicAddressesAreAllowed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"93.184.216.34": true, "2606:2800:220:1:248:1893:25c8:1946": true,
		"127.0.0.1": false, "::1": false, "10.0.0.1": false, "172.16.9.9": false, "192.168.1.1": false, "169.254.169.254": false,
		"100.64.0.1": false, "0.0.0.0": false, "255.255.255.255": false, "224.0.0.1": false, "192.0.2.1": false, "198.18.0.1": false,
		"::ffff:10.0.0.1": false, "::ffff:127.0.0.1": false, "::": false, "fe80::1": false, "fc00::1": false, "ff02::1": false,
		"64:ff9b::a00:1": false, "2002:a00:1::": false, "2001:db8::1": false, "fd00:ec2::254": false, "fec0::1": false,
		"::7f00:1": false, "::5db8:d822": false, "::ffff:0:a00:1": false, "64:ff9b:1::a00:1": false, "64:ff9b::5db8:d822": false,
		"2001:0:4136:e378:8000:63bf:3fff:fdd2": false, "2002:5db8:d822::1": false, "2606:2800::1%eth0": true, "::ffff:93.184.216.34": true,
		"100::1": false, "5f00::1": false, "3fff::1": false, "4000::1": false,
	} {
		if got := webhook.Public(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s is public: %t", text, got)
		}
	}
}
