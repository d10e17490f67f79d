#!/usr/bin/env bash
# Prometheus Alertmanager: alerts, silences and receivers. Go with go-swagger, Apache-2.0.
. "$(dirname "$0")/common.sh"
VERSION=0.25.0

version() { echo $VERSION; }
install() {
  command -v prometheus-alertmanager >/dev/null || apt-get install -y prometheus-alertmanager >/dev/null
  command -v go >/dev/null || apt-get install -y golang-go >/dev/null
  # The package lacks the document: it is that of the module of the same version.
  local module
  module=$(cd / && go mod download -json github.com/prometheus/alertmanager@v$VERSION | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')
  cat "$module/api/v2/openapi.yaml" >"$INSTALLED/openapi.yaml"
}
start() {
  # No receiver has an integration: nothing is sent anywhere. Groups wait for longer than the sessions last.
  cat >alertmanager.yml <<'YML'
route:
  receiver: team
  group_by: [alertname]
  group_wait: 1h
  routes:
    - { receiver: database, matchers: ['service = "database"'] }
    - { receiver: nobody, matchers: ['severity = "info"'] }
inhibit_rules:
  - { source_matchers: ['severity = "critical"'], target_matchers: ['severity = "warning"'], equal: [service] }
receivers:
  - { name: team }
  - { name: database }
  - { name: nobody }
YML
  exec prometheus-alertmanager --config.file=alertmanager.yml --storage.path=data --web.listen-address="127.0.0.1:$1" --cluster.listen-address=
}
document() { cat "$INSTALLED/openapi.yaml"; }
main "$@"
