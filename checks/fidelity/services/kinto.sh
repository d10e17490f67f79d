#!/usr/bin/env bash
# Kinto: a store of JSON records in buckets and collections. Pyramid, Apache-2.0.
. "$(dirname "$0")/common.sh"
VERSION=26.5.0

version() { echo $VERSION; }
install() { pip_install kinto==$VERSION; }
start() {
  cat >kinto.ini <<INI
[server:main]
use = egg:waitress#main
host = 127.0.0.1
port = $1
[app:main]
use = egg:kinto
kinto.userid_hmac_secret = for-the-check-alone
multiauth.policies = basicauth
multiauth.policy.basicauth.use = kinto.core.authentication.BasicAuthAuthenticationPolicy
kinto.storage_backend = kinto.core.storage.memory
kinto.cache_backend = kinto.core.cache.memory
kinto.permission_backend = kinto.core.permission.memory
kinto.bucket_create_principals = system.Authenticated
kinto.paginate_by = 100
INI
  exec "$INSTALLED/bin/kinto" start --ini kinto.ini
}
document() { curl -fsS "http://127.0.0.1:$1/v1/__api__"; }
main "$@"
