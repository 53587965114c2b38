# Lets Chromium set up its sandbox where unknown programs may not make user namespaces (Ubuntu 23.10 and newer).
abi <abi/4.0>,
include <tunables/global>

profile "${executable}" "/opt/${sanitizedProductName}/${executable}{,-app}" flags=(unconfined) {
  userns,

  # Site-specific additions and overrides. See local/README for details.
  include if exists <local/${executable}>
}
