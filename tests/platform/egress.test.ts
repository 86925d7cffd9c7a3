import assert from "node:assert/strict";
import { checkAddress, checkTarget } from "../../src/platform/egress.ts";

const refused = [
  "ftp://example.com/",
  "file:///etc/passwd",
  "javascript:alert(1)",
  "//example.com/",
  "example.com",
  "",
  "http://",
  "http://user@example.com/",
  "http://user:pass@example.com/",
  "http://:pass@example.com/",
];

const inside = [
  "http://127.0.0.1/",
  "http://127.1/",
  "http://127.255.255.254:8080/",
  "http://2130706433/",
  "http://0x7f000001/",
  "http://0x7f.1/",
  "http://0177.0.0.1/",
  "http://017700000001/",
  "http://127.0.0.1./",
  "http://127.0.0.1%2e/",
  "http://１２７.0.0.1/",
  "http://0/",
  "http://0.0.0.0/",
  "http://10.1.2.3/",
  "http://100.64.0.1/",
  "http://100.100.100.200/",
  "http://169.254.169.254/latest/meta-data/",
  "http://0xa9fea9fe/",
  "http://168.63.129.16/",
  "http://172.16.0.1/",
  "http://172.31.255.255/",
  "http://192.0.0.192/",
  "http://192.0.2.1/",
  "http://192.88.99.1/",
  "http://192.168.1.1/",
  "http://198.18.0.1/",
  "http://198.19.255.255/",
  "http://198.51.100.1/",
  "http://203.0.113.1/",
  "http://224.0.0.1/",
  "http://239.255.255.255/",
  "http://240.0.0.1/",
  "http://255.255.255.255/",
  "http://[::]/",
  "http://[::1]/",
  "http://[0:0:0:0:0:0:0:1]/",
  "http://[::127.0.0.1]/",
  "http://[::ffff:127.0.0.1]/",
  "http://[::ffff:7f00:1]/",
  "http://[::ffff:0:127.0.0.1]/",
  "http://[64:ff9b::169.254.169.254]/",
  "http://[64:ff9b:1::1]/",
  "http://[100::1]/",
  "http://[2001::1]/",
  "http://[2001:1::1]/",
  "http://[2001:db8::1]/",
  "http://[2002:7f00:1::]/",
  "http://[3fff::1]/",
  "http://[5f00::1]/",
  "http://[fc00::1]/",
  "http://[fd00:ec2::254]/",
  "http://[fe80::1]/",
  "http://[fec0::1]/",
  "http://[ff02::1]/",
  "http://[4000::1]/",
  "http://localhost/",
  "http://LOCALHOST./",
  "http://loc%61lhost:8000/",
  "http://ⓛocalhost/",
  "http://a.localhost/",
  "http://printer.local/",
  "http://metadata.google.internal/",
  "http://metadata.google.internal./",
  "http://nas.home.arpa/",
  "http://metadata/",
];

const outside = [
  "https://example.com/hook?a=1#b",
  "HTTP://EXAMPLE.COM:8080/",
  "https://hooks.example.com./",
  "https://localhost.example.com/",
  "https://mylocal.dev/",
  "https://bücher.example/",
  "http://8.8.8.8/",
  "http://172.32.0.1/",
  "http://100.128.0.1/",
  "http://[2606:4700::1111]/",
  "http://[2001:4860:4860::8888]/",
];

Deno.test("only http and https without user info are allowed, even with private addresses", () => {
  for (const url of refused) {
    assert.equal(typeof checkTarget(url, false), "string", url);
    assert.equal(typeof checkTarget(url, true), "string", url);
  }
});

Deno.test("addresses and names that are not public are refused in every spelling, unless private ones are allowed", () => {
  for (const url of inside) {
    assert.equal(typeof checkTarget(url, false), "string", url);
    assert.equal(checkTarget(url, true), null, url);
  }
});

Deno.test("public addresses and names may be called", () => {
  for (const url of outside) {
    assert.equal(checkTarget(url, false), null, url);
    assert.equal(checkTarget(url, true), null, url);
  }
});

Deno.test("a resolved address is checked like one in the URL", () => {
  for (
    const address of [
      "127.0.0.1",
      "::1",
      "::ffff:10.0.0.1",
      "169.254.169.254",
      "fe80::1%eth0",
      "",
      "nonsense",
    ]
  ) {
    assert.equal(typeof checkAddress(address), "string", address);
  }
  for (const address of ["93.184.216.34", "2606:2800:220:1::1"]) {
    assert.equal(checkAddress(address), null, address);
  }
});
