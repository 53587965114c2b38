import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test, type TestContext } from 'vitest'
import { rootFolder } from '../src/main/lib/disk/shipped-files.ts'
import { completeLock, missingEntries, readLock, readSystem, registryEntries } from './complete-lock.ts'

const root = rootFolder()
const ours = readLock(readFileSync(join(root, 'package-lock.json'), 'utf8'))

/** A lock with these packages, written as text and read again. */
const lockOf = (packages: object) => readLock(JSON.stringify({ lockfileVersion: 3, packages }))
const engine = {
  version: '2.0.0',
  optionalDependencies: { '@e/linux-x64': '2.0.0', '@e/win-arm64-gpu': '2.0.0' },
}
const linux = {
  version: '2.0.0',
  cpu: ['x64'],
  license: 'MIT',
  optional: true,
  os: ['linux'],
  engines: { node: '>=20' },
}

describe('the lock of this project', () => {
  test('has an entry for each optional dependency, so that no system goes without its engine', () => {
    const optional = Object.values(ours.packages).flatMap(each =>
      Object.keys(each.optionalDependencies ?? {}),
    )
    expect(optional.length).toBeGreaterThan(100)
    expect(missingEntries(ours).map(({ name }) => name)).toEqual([])
    expect(completeLock(ours)).toEqual({ lock: ours, added: [], problems: [] })
  })

  test('says of each native package the system that its name says', () => {
    const wrong = Object.entries(ours.packages).flatMap(([place, entry]) => {
      const { os, cpu, libc } = readSystem(
        place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length),
      )
      if (!entry['optional'] || os === undefined) return []
      const fits =
        entry.os?.includes(os) === true &&
        (cpu === undefined || entry.cpu?.includes(cpu) === true) &&
        // Some packages for musl do not declare it to npm.
        (libc === undefined || entry.libc === undefined || entry.libc.includes(libc))
      return fits ? [] : [place]
    })
    expect(wrong).toEqual([])
  })

  test('names no registry, and the project’s .npmrc keeps it so', () => {
    expect(registryEntries(ours)).toEqual([])
    expect(readFileSync(join(root, '.npmrc'), 'utf8')).toMatch(/^omit-lockfile-registry-resolved=true$/m)
  })

  test.concurrent.for([
    ['darwin', 'arm64', ['mac-arm64-metal']],
    ['win32', 'x64', ['win-x64', 'win-x64-vulkan']],
    ['linux', 'riscv64', ['linux-riscv64']],
  ] as const)(
    'is accepted by `npm ci` and brings the engine of %s on %s',
    async ([os, cpu, engines], context) => {
      const output = await installDry(['ci', `--os=${os}`, `--cpu=${cpu}`], context)
      for (const each of engines) expect(output).toContain(`add @node-llama-cpp/${each} `)
    },
  )
})

/**
 * What npm would do with the project's `package.json` and lock, without a registry and without the settings
 * of a user.
 */
async function installDry(args: string[], { skip }: TestContext): Promise<string> {
  const npm = process.env['npm_execpath'] ?? ''
  const isNpm = basename(npm) === 'npm-cli.js'
  if (!isNpm && process.platform === 'win32') skip('npm did not start this, and its script cannot be found')
  const folder = mkdtempSync(join(tmpdir(), 'talaria-lock-'))
  try {
    for (const name of ['package.json', 'package-lock.json', '.npmrc', 'resources/no-cuda'])
      cpSync(join(root, name), join(folder, name), { recursive: true })
    const settings = ['--dry-run', '--offline', '--logs-max=0', `--cache=${join(folder, 'cache')}`]
    const words = [...args, ...settings, `--userconfig=${join(folder, 'none')}`]
    const [program, ...before] = isNpm ? [process.execPath, npm] : ['npm']
    const { stdout } = await promisify(execFile)(program, [...before, ...words], {
      cwd: folder,
      maxBuffer: 1e8,
    })
    return stdout
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

describe('completing a lock', () => {
  test.each([
    ['@node-llama-cpp/mac-arm64-metal', { os: 'darwin', cpu: 'arm64' }],
    ['@node-llama-cpp/win-x64-cuda-ext', { os: 'win32', cpu: 'x64' }],
    ['@node-llama-cpp/linux-armv7l', { os: 'linux', cpu: 'arm' }],
    ['@oxlint/binding-linux-x64-musl', { os: 'linux', cpu: 'x64', libc: 'musl' }],
    ['lightningcss-linux-arm-gnueabihf', { os: 'linux', cpu: 'arm', libc: 'glibc' }],
    ['@rolldown/binding-win32-ia32-msvc', { os: 'win32', cpu: 'ia32' }],
    ['@rolldown/binding-wasm32-wasi', { cpu: 'wasm32' }],
    ['window-darwinian-x64ish', {}],
    ['fsevents', {}],
  ])('reads the system from the name %s', (name, system) => {
    expect(readSystem(name)).toEqual(system)
  })

  test('adds what the packages beside it say and no address', () => {
    const lock = lockOf({
      '': {},
      'node_modules/@e/linux-x64': linux,
      'node_modules/e': { ...engine, dev: true },
    })
    const { lock: completed, added, problems } = completeLock(lock)
    expect([added, problems]).toEqual([['@e/win-arm64-gpu@2.0.0'], []])
    expect(Object.keys(completed.packages)).toEqual([
      '',
      'node_modules/@e/linux-x64',
      'node_modules/@e/win-arm64-gpu',
      'node_modules/e',
    ])
    expect(completed.packages['node_modules/@e/win-arm64-gpu']).toEqual({
      version: '2.0.0',
      cpu: ['arm64'],
      dev: true,
      license: 'MIT',
      optional: true,
      os: ['win32'],
      engines: { node: '>=20' },
    })
    expect(completeLock(completed).added).toEqual([])
  })

  test('finds an entry where Node would: beside the package, in it, or above', () => {
    const inside = 'node_modules/a/node_modules/e'
    for (const place of [`${inside}/node_modules/@e`, 'node_modules/a/node_modules/@e', 'node_modules/@e'])
      expect(
        missingEntries(
          lockOf({ [inside]: engine, [`${place}/linux-x64`]: linux, [`${place}/win-arm64-gpu`]: {} }),
        ),
      ).toEqual([])
    const elsewhere = { [inside]: engine, 'node_modules/b/node_modules/@e/linux-x64': linux }
    expect(missingEntries(lockOf(elsewhere))).toHaveLength(2)
  })

  test('takes addresses away and leaves links to folders', () => {
    const link = { resolved: 'resources/x', link: true }
    const from = { version: '1.0.0', resolved: 'https://registry.example/e.tgz', integrity: 'sha512-x' }
    const { lock } = completeLock(lockOf({ 'node_modules/e': from, 'node_modules/x': link }))
    expect(lock.packages).toEqual({
      'node_modules/e': { version: '1.0.0', integrity: 'sha512-x' },
      'node_modules/x': link,
    })
  })

  test('says what it cannot enter', () => {
    const wants = { version: '1.0.0', optionalDependencies: { 'fast-part': '1.0.0', 'e-win-x64': '^1.0.0' } }
    const { added, problems } = completeLock(lockOf({ 'node_modules/e': wants }))
    expect(added).toEqual([])
    expect(problems).toEqual([
      'fast-part (wanted by node_modules/e): its name tells no system.',
      'e-win-x64 (wanted by node_modules/e): “^1.0.0” is not one version.',
    ])
  })

  test('refuses what is no lock of npm 7 or newer', () => {
    expect(() => readLock('{"lockfileVersion":1,"dependencies":{}}')).toThrow('no package-lock.json')
  })
})
