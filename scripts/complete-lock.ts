import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { rootFolder } from '../src/main/lib/disk/shipped-files.ts'

// `npm run lock`: to be run after each `npm install` that changed `package-lock.json`. npm leaves out an
// optional package that its registry does not have. `npm ci` refuses a lock without it, and the system that
// the package is for would get no engine. An entry with the version and the system is enough: npm then asks
// the registry of the person who installs.

const Entry = z.looseObject({
  version: z.string().optional(),
  resolved: z.string().optional(),
  link: z.boolean().optional(),
  dev: z.boolean().optional(),
  license: z.string().optional(),
  libc: z.array(z.string()).optional(),
  os: z.array(z.string()).optional(),
  cpu: z.array(z.string()).optional(),
  engines: z.record(z.string(), z.string()).optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
})
type Entry = z.infer<typeof Entry>

const Shape = z.looseObject({ packages: z.record(z.string(), Entry) })
/** `package-lock.json` of version 3, as far as it matters here. */
export type Lock = z.infer<typeof Shape>

/** A lock from its text, with its keys in npm's order, which zod does not keep. */
export function readLock(text: string): Lock {
  const lock: unknown = JSON.parse(text)
  if (isLock(lock)) return lock
  throw new Error('This is no package-lock.json that npm 7 or newer wrote.')
}

const isLock = (value: unknown): value is Lock => Shape.safeParse(value).success

/** The system that a native package is for, as npm writes it. */
export type System = { os?: string; cpu?: string; libc?: string }

const OS: Readonly<Record<string, string>> = {
  mac: 'darwin',
  macos: 'darwin',
  win: 'win32',
  windows: 'win32',
}
const KNOWN_OS = 'aix android darwin freebsd linux netbsd openbsd openharmony sunos win32'.split(' ')
const CPU: Readonly<Record<string, string>> = { armv6l: 'arm', armv7l: 'arm', 'arm-eabi': 'arm' }
const KNOWN_CPU = 'arm arm64 ia32 loong64 mips64el ppc64 riscv64 s390x wasm32 x64'.split(' ')

/** The system in a name such as `@scope/linux-arm64-musl`; empty for a package that is for all systems. */
export function readSystem(name: string): System {
  const words = name.slice(name.indexOf('/') + 1).split('-')
  const os = words.map(word => OS[word] ?? word).find(word => KNOWN_OS.includes(word))
  const cpu = words.map(word => CPU[word] ?? word).find(word => KNOWN_CPU.includes(word))
  const libc = words.some(word => word.startsWith('musl')) ? 'musl' : undefined
  const glibc = os === 'linux' && words.some(word => word.startsWith('gnu')) ? 'glibc' : undefined
  const found = libc ?? glibc
  return { ...(os && { os }), ...(cpu && { cpu }), ...(found && { libc: found }) }
}

/** An optional dependency without an entry: which package wants it, its name and its version. */
export type Missing = { wantedBy: string; name: string; version: string }

/** The optional dependencies that Node would not find in the places that the lock has entries for. */
export function missingEntries({ packages }: Lock): Missing[] {
  return Object.entries(packages).flatMap(([wantedBy, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !placesOf(wantedBy, name).some(place => place in packages))
      .map(([name, version]) => ({ wantedBy, name, version })),
  )
}

/** Where Node looks for a package that `wantedBy` imports: from that package's folder up to the root. */
function placesOf(wantedBy: string, name: string): string[] {
  const parts = wantedBy === '' ? [] : wantedBy.split('/node_modules/')
  return parts
    .map((_, index) => `${parts.slice(0, parts.length - index).join('/node_modules/')}/node_modules/${name}`)
    .concat(`node_modules/${name}`)
}

/**
 * The entries that name a registry: everybody would have to use the registry of the person who installed
 * last.
 */
export const registryEntries = ({ packages }: Lock): string[] =>
  Object.keys(packages).filter(place => packages[place]?.resolved?.includes('://'))

/**
 * The lock with an entry for each optional dependency and without addresses, and why some could not be added.
 */
export function completeLock(lock: Lock): { lock: Lock; added: string[]; problems: string[] } {
  const packages = { ...lock.packages }
  for (const place of registryEntries(lock)) {
    const { resolved: _, ...rest } = packages[place] ?? {}
    packages[place] = rest
  }
  const added: string[] = []
  const problems: string[] = []
  for (const missing of missingEntries(lock)) {
    const entry = entryFor(missing, packages)
    if (typeof entry === 'string') problems.push(entry)
    else {
      packages[`node_modules/${missing.name}`] = entry
      added.push(`${missing.name}@${missing.version}`)
    }
  }
  return { lock: { ...lock, packages: sortAsNpmDoes(packages) }, added, problems }
}

/** An entry with its keys in npm's order, or why there can be none. */
function entryFor({ wantedBy, name, version }: Missing, packages: Lock['packages']): Entry | string {
  const { os, cpu, libc } = readSystem(name)
  const who = `${name} (wanted by ${wantedBy || 'package.json'})`
  if (!/^\d+\.\d+\.\d+[\w.+-]*$/.test(version)) return `${who}: “${version}” is not one version.`
  if (os === undefined) return `${who}: its name tells no system.`
  const parent = packages[wantedBy]
  const siblings = Object.keys(parent?.optionalDependencies ?? {})
    .map(each => packages[`node_modules/${each}`])
    .filter(each => each?.version === version)
  // What the name does not tell is taken from the package's siblings.
  const alike = siblings.find(each => each?.os?.includes(os)) ?? siblings[0]
  const ofLibc = libc ? [libc] : alike?.os?.includes(os) && alike.libc
  return {
    version,
    ...(cpu && { cpu: [cpu] }),
    ...(parent?.dev && { dev: true }),
    ...(ofLibc && { libc: ofLibc }),
    ...(alike?.license && { license: alike.license }),
    optional: true,
    os: [os],
    ...(alike?.engines && { engines: alike.engines }),
  }
}

const sortAsNpmDoes = (packages: Lock['packages']): Lock['packages'] =>
  Object.fromEntries(Object.entries(packages).toSorted(([a], [b]) => a.localeCompare(b, 'en')))

if (import.meta.main) {
  const file = join(rootFolder(), 'package-lock.json')
  const before = readFileSync(file, 'utf8')
  const { lock, added, problems } = completeLock(readLock(before))
  const after = `${JSON.stringify(lock, undefined, 2)}\n`
  if (after !== before) writeFileSync(file, after)
  for (const each of added) console.log(`Added ${each}.`)
  for (const problem of problems) console.error(`Left out: ${problem} Write its entry by hand.`)
  console.log(
    after === before ? 'The lock was complete.' : 'The lock is complete now: run `npm install` again.',
  )
  process.exitCode = problems.length === 0 ? 0 : 1
}
