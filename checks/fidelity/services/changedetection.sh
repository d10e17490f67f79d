#!/usr/bin/env bash
# changedetection.io: watches of web pages, tags, snapshots, notifications. Flask, Apache-2.0.
. "$(dirname "$0")/common.sh"
VERSION=0.60.10

version() { echo $VERSION; }
install() { pip_install changedetection.io==$VERSION; }
# With settings there are no default watches and a known key. -P: no page is ever fetched.
start() {
  mkdir -p data
  cat >data/changedetection.json <<'JSON'
{
  "app_guid": "00000000-0000-4000-8000-000000000000",
  "settings": {
    "application": {
      "api_access_token_enabled": true,
      "api_access_token": "fidelity",
      "rss_access_token": "fidelity",
      "schema_version": 33,
      "tags": {}
    }
  }
}
JSON
  export DISABLE_VERSION_CHECK=true ALLOW_FILE_URI=false
  exec "$INSTALLED/bin/changedetection.io" -h 127.0.0.1 -p "$1" -d "$PWD/data" -P true
}
# Its document as the installed processors extend it.
document() { curl -fsS "http://127.0.0.1:$1/api/v1/full-spec"; }
main "$@"
