import { afterPackLinux } from './launcher.ts'
import { readSigning } from './signing.ts'

/**
 * The fuses that electron-builder sets in the Electron binary; `readFuses` reads them back in the package
 * test.
 */
const fuses = {
  runAsNode: false,
  // If true, Electron asks the keychain for a key at every start (system_network_context_manager.cc), and
  // Talaria has no cookies.
  enableCookieEncryption: false,
  enableNodeOptionsEnvironmentVariable: false,
  enableNodeCliInspectArguments: false,
  enableEmbeddedAsarIntegrityValidation: true,
  onlyLoadAppFromAsar: true,
  loadBrowserProcessSpecificV8Snapshot: false,
  grantFileProtocolExtraPrivileges: false,
}

export type PackageSurroundings = {
  platform: NodeJS.Platform
  /** `TALARIA_UPDATES_URL`, `TALARIA_HOMEPAGE`, and the variables of `signing.ts`. */
  env: NodeJS.ProcessEnv
  /** The scripts of other processes and threads, and their chunks, as paths from the project's root. */
  workerFiles: readonly string[]
}

/**
 * How the desktop application is packaged. Two macros name the system, because the two native packages name
 * their folders differently: `${platform}` is linux, darwin or win32, `${os}` is linux, mac or win. Each
 * system packages only for itself, because node-llama-cpp installs no binaries for another one. Throws a
 * sentence about a wrong or missing variable.
 */
export function packageConfiguration({ platform, env, workerFiles }: PackageSurroundings) {
  const signing = readSigning(platform, env)
  const updates = readUpdatesUrl(env)
  const homepage = env['TALARIA_HOMEPAGE'] || githubPage(env)
  return {
    appId: 'app.talaria.desktop',
    productName: 'Talaria',
    icon: 'resources/icon.png',
    directories: { output: 'dist' },
    artifactName: '${productName}-${version}-${os}-${arch}.${ext}',
    ...(homepage && { extraMetadata: { homepage } }),
    // Dev dependencies are bundled into out/. Of the other dependencies, only what this system loads is
    // packaged.
    files: [
      'out/**',
      '!out/stamp.json',
      '!out/main/worker-files.json',
      'package.json',
      '!node_modules/**/{test,tests,docs,*.md,*.map,*.ts}',
      '!node_modules/better-sqlite3/{build,deps,src,prebuilds,binding.gyp}',
      '!node_modules/better-sqlite3/{build,deps,src,prebuilds}/**',
      'node_modules/better-sqlite3/prebuilds/${platform}-${arch}.node',
      '!node_modules/node-llama-cpp/templates/**',
      '!node_modules/node-llama-cpp/llama/{addon,cmake,profiles,toolchains,xpack}/**',
      '!node_modules/node-llama-cpp/llama/gitRelease.bundle',
      // This leaves out CUDA too, the real packages as well as their stand-ins in resources/no-cuda.
      '!node_modules/@node-llama-cpp/**',
      'node_modules/@node-llama-cpp/${os}-${arch}/**',
      'node_modules/@node-llama-cpp/${os}-${arch}-{metal,vulkan}/**',
    ],
    // Worker threads and the engine's process run from beside the archive, with everything that they import.
    asarUnpack: [...workerFiles, 'node_modules/**'],
    extraResources: [
      // Tells Node that these scripts are modules. The real package.json stays in the archive, whose content
      // is verified.
      { from: 'scripts/package/beside-archive.json', to: 'app.asar.unpacked/package.json' },
      { from: 'skills', to: 'skills' },
      { from: 'resources/models', to: 'models' },
      { from: 'resources/catalogue.json', to: 'catalogue.json' },
      { from: 'resources/personalities', to: 'personalities' },
      { from: 'resources/templates', to: 'templates' },
      { from: 'resources/agents', to: 'agents' },
      { from: 'resources/connect', to: 'connect' },
      // The pages of Help. The other documents are for people who change Talaria.
      { from: 'docs', to: 'docs', filter: ['{guide,models,security,data,reference}/*.md', 'images/*'] },
      { from: 'resources/icon.png', to: 'icon.png' },
    ],
    // Both native packages come with binaries that work in Node and in Electron.
    npmRebuild: false,
    // On Linux the launcher takes the name of the binary, so `afterPack` sets the fuses first.
    ...(platform === 'linux' ? { afterPack: afterPackLinux(fuses) } : { electronFuses: fuses }),
    // Links such as talaria://chat/1.
    protocols: [{ name: 'Talaria', schemes: ['talaria'] }],
    // Written into the package as app-update.yml. Without it the application has no source of updates.
    publish: updates === undefined ? null : [{ provider: 'generic', url: updates }],
    forceCodeSigning: signing.isRequired,
    linux: {
      target: ['AppImage', 'deb'],
      category: 'Utility',
      maintainer: 'The Talaria contributors',
      synopsis: 'A desktop agent that works offline',
      syncDesktopName: true,
      // electron-builder would write --no-sandbox into the desktop entry.
      executableArgs: [],
    },
    // The older runtime needs libfuse2, which recent distributions no longer install.
    toolsets: { appimage: '1.0.3' },
    deb: {
      // bubblewrap confines the agent's commands; socat connects to servers that they start.
      recommends: ['bubblewrap', 'socat'],
      appArmorProfile: 'scripts/package/apparmor-profile.tpl',
    },
    // Updates of macOS are installed from the zip.
    mac: {
      target: ['dmg', 'zip'],
      category: 'public.app-category.productivity',
      hardenedRuntime: true,
      notarize: signing.notarize,
    },
    win: { target: 'nsis' },
    nsis: { oneClick: true, perMachine: false, deleteAppDataOnUninstall: false },
  }
}

/** The address of updates, from `TALARIA_UPDATES_URL`; undefined for a build without updates. */
function readUpdatesUrl(env: NodeJS.ProcessEnv): string | undefined {
  const given = env['TALARIA_UPDATES_URL']
  if (!given) return undefined
  const url = URL.parse(given)
  // An update replaces the program, so nobody may be able to change it on its way.
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '')
    throw new Error(
      'TALARIA_UPDATES_URL must be an address that begins with https:// and names no user or password.',
    )
  return url.href
}

/** The page of the repository that a GitHub action runs for. */
const githubPage = (env: NodeJS.ProcessEnv): string | undefined =>
  env['GITHUB_SERVER_URL'] && env['GITHUB_REPOSITORY']
    ? `${env['GITHUB_SERVER_URL']}/${env['GITHUB_REPOSITORY']}`
    : undefined
