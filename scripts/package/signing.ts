/** How a package is signed. With `isRequired`, a build that cannot be signed fails. */
export type Signing = { isRequired: boolean; notarize: boolean }

/** The variables of electron-builder that belong together: a certificate and its password. */
const certificates: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['CSC_LINK', 'CSC_KEY_PASSWORD'],
  win32: ['WIN_CSC_LINK', 'WIN_CSC_KEY_PASSWORD'],
}

/** Two ways to sign in at Apple: a key of App Store Connect, or an account with an app-specific password. */
const appleKey = ['APPLE_API_KEY', 'APPLE_API_KEY_ID', 'APPLE_API_ISSUER']
const appleAccount = ['APPLE_ID', 'APPLE_APP_SPECIFIC_PASSWORD', 'APPLE_TEAM_ID']

/**
 * Read from the environment how to sign. Without any variable the package is not signed. Throws a sentence
 * that names what is missing when only some variables of a group are set, or when `TALARIA_SIGNED=1` demands
 * a signature.
 */
export function readSigning(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): Signing {
  const isRequired = env['TALARIA_SIGNED'] === '1'
  const certificate = certificates[platform]
  // Packages for Linux are not signed: no system checks a signature of an AppImage or a deb.
  if (!certificate) return { isRequired: false, notarize: false }
  const isSigned = hasAll(certificate, env)
  const isNotarized = platform === 'darwin' && (hasAll(appleKey, env) || hasAll(appleAccount, env))
  if (isRequired && !isSigned)
    throw new Error(`TALARIA_SIGNED=1 needs a certificate: set ${certificate.join(' and ')}.`)
  if (isRequired && platform === 'darwin' && !isNotarized)
    throw new Error(
      `TALARIA_SIGNED=1 needs notarisation: set ${appleKey.join(', ')}, or ${appleAccount.join(', ')}.`,
    )
  if (isNotarized && !isSigned)
    throw new Error(`Apple notarises only what is signed: set ${certificate.join(' and ')} too.`)
  return { isRequired, notarize: isNotarized }
}

/** Whether all variables are set. Throws when only some of them are, because that is an oversight. */
function hasAll(names: readonly string[], env: NodeJS.ProcessEnv): boolean {
  const missing = names.filter(name => !env[name])
  if (missing.length === 0) return true
  if (missing.length === names.length) return false
  const given = names.filter(name => env[name])
  throw new Error(
    `${given.join(' and ')} ${given.length === 1 ? 'is' : 'are'} set, but ${missing.join(' and ')} ` +
      `${missing.length === 1 ? 'is' : 'are'} missing. Set all of ${names.join(', ')}, or none.`,
  )
}
