#!/usr/bin/env bash
# Apicurio Registry: artifacts, versions, groups, rules, search. Quarkus with RESTEasy on the JVM, Apache-2.0.
. "$(dirname "$0")/common.sh"
# 3.0.9 is the last that runs on Java 17.
VERSION=3.0.9

version() { echo $VERSION; }
# Central lacks the parent of its POM, which newer versions of the plugin insist on reading.
install() {
  [ -s "$INSTALLED/apicurio-registry-app-$VERSION-runner.jar" ] && return
  mvn --quiet --batch-mode org.apache.maven.plugins:maven-dependency-plugin:2.10:copy \
    -Dartifact=io.apicurio:apicurio-registry-app:$VERSION:tar.gz:all -DoutputDirectory="$INSTALLED"
  tar xzf "$INSTALLED/apicurio-registry-app-$VERSION-all.tar.gz" -C "$INSTALLED"
  rm "$INSTALLED/apicurio-registry-app-$VERSION-all.tar.gz"
}
# Kept in memory. What the document has for deleting is off without these properties.
start() {
  exec java -Xmx512m -XX:TieredStopAtLevel=1 -Dquarkus.http.host=127.0.0.1 -Dquarkus.http.port="$1" \
    -Dapicurio.rest.deletion.group.enabled=true \
    -Dapicurio.rest.deletion.artifact.enabled=true \
    -Dapicurio.rest.deletion.artifact-version.enabled=true \
    -Dapicurio.rest.mutability.artifact-version-content.enabled=true \
    -jar "$INSTALLED/apicurio-registry-app-$VERSION-runner.jar"
}
document() { curl -fsS "http://127.0.0.1:$1/api-specifications/registry/v3/openapi.json"; }
main "$@"
