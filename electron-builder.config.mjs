// How the desktop application is packaged. Macros: `${platform}` is linux, darwin or win32, `${os}` is linux, mac or win;
// the two native packages name their folders in different ones. Each system packages for itself: node-llama-cpp has no
// binaries for another one.
export default {
  appId: 'app.talaria.desktop',
  productName: 'Talaria',
  icon: 'resources/icon.png',
  directories: { output: 'dist' },
  artifactName: '${productName}-${version}-${os}-${arch}.${ext}',
  // Dev dependencies are bundled into out/; of the others only what this system loads goes along.
  files: [
    'out/**',
    '!out/stamp.json',
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
  asarUnpack: ['**/*.node', 'node_modules/@node-llama-cpp/**', 'node_modules/node-llama-cpp/{bins,llama}/**'],
  extraResources: [
    { from: 'skills', to: 'skills' },
    { from: 'resources/models', to: 'models' },
    { from: 'resources/catalogue.json', to: 'catalogue.json' },
    { from: 'resources/icon.png', to: 'icon.png' },
  ],
  // Both native packages bring binaries that serve Node and Electron alike.
  npmRebuild: false,
  electronFuses: {
    runAsNode: false,
    enableCookieEncryption: true,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    loadBrowserProcessSpecificV8Snapshot: false,
    grantFileProtocolExtraPrivileges: false,
  },
  linux: {
    target: ['AppImage', 'deb'],
    category: 'Utility',
    maintainer: 'The Talaria contributors',
    synopsis: 'A desktop agent that works offline',
  },
  mac: { target: 'dmg', category: 'public.app-category.productivity', hardenedRuntime: true },
  win: { target: 'nsis' },
  nsis: { oneClick: true, perMachine: false, deleteAppDataOnUninstall: false },
}
