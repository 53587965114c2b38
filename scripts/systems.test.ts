import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { rootFolder } from '../src/main/lib/disk/shipped-files.ts'
import { nodeArguments, programFile } from './programs.ts'

// What a checkout needs in order to work on macOS and Windows too, as far as the files show it.

const root = rootFolder()
const listed = spawnSync('git', ['ls-files', '-z', '--stage', '--eol'], { cwd: root, encoding: 'utf8' })
/** Files of the repository: mode, line ends in the index, attributes, path. */
const files = listed.stdout
  ?.split('\0')
  .filter(line => line !== '')
  .map(line => {
    const [mode = '', ends = '', path = ''] = line.split('\t')
    const [index = '', , ...attributes] = ends.trim().split(/\s+/)
    return { path, mode: mode.slice(0, 6), index, attributes: attributes.join(' ') }
  })
const whyNot = listed.status === 0 ? undefined : 'this is no checkout of git'
const paths = files?.map(({ path }) => path) ?? []

/** A path and all folders above it. */
const withFolders = (path: string): string[] =>
  path.includes('/') ? [path, ...withFolders(posix.dirname(path))] : [path]

describe.skipIf(whyNot !== undefined)('the names of all files', () => {
  const places = [...new Set(paths.flatMap(withFolders))]

  test('differ in more than case, which macOS and Windows do not tell apart', () => {
    expect(paths.length).toBeGreaterThan(2_000)
    const spellings = Map.groupBy(places, place => place.normalize('NFC').toLowerCase())
    expect([...spellings.values()].filter(same => same.length > 1)).toEqual([])
  })

  test('are none that Windows forbids', () => {
    const forbidden = /[<>:"|?*\\\p{Cc}]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/iu
    expect(places.filter(place => forbidden.test(posix.basename(place)))).toEqual([])
  })

  test('leave room for the folder of a checkout below the 260 characters of Windows', () => {
    expect(paths.filter(path => path.length > 120)).toEqual([])
  })

  test('are of plain files: no links, which Git for Windows writes as text, and one program', () => {
    expect(files?.filter(({ mode }) => mode !== '100644').map(({ path }) => path)).toEqual(['.ci/run'])
  })

  test('are spelt in imports as on the disk', () => {
    const known = new Map(paths.map(path => [path.toLowerCase(), path]))
    const wrong = paths
      .filter(path => /\.(?:tsx?|mjs|css|html)$/.test(path))
      .flatMap(path =>
        [
          ...readFileSync(join(root, path), 'utf8').matchAll(
            /\b(?:from|import|URL|url)\s*\(?\s*['"](\.[^'"]+)['"]/g,
          ),
        ]
          .map(([, target = '']) => posix.join(posix.dirname(path), target))
          .filter(target => (known.get(target.toLowerCase()) ?? target) !== target)
          .map(target => `${path} → ${target}`),
      )
    expect(wrong).toEqual([])
  })
})

describe.skipIf(whyNot !== undefined)('the line ends of all files', () => {
  test('are line feeds on every system', () => {
    const other = files?.filter(({ index, attributes }) =>
      index === 'i/-text' ? attributes !== 'attr/-text' : !/^attr\/text(?:=auto)? eol=lf$/.test(attributes),
    )
    expect(other).toEqual([])
    expect(files?.filter(({ index }) => /crlf|mixed/.test(index)).map(({ path }) => path)).toEqual([])
  })
})

describe('commands', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }

  test('of package.json mean the same to sh and to cmd.exe', () => {
    // Quotes, variables, patterns, redirections and assignments differ between shells; so do all programs but
    // npm's.
    const differs = /['"`$%^*?<>|;\\~!()]|(?<!&)&(?!&)|^\w+=/
    const programs = /^(?:node|npm|npx|vitest|playwright|oxfmt|electron-vite) /
    const parts = Object.values(scripts).flatMap(script => script.split(' && '))
    expect(parts.filter(part => differs.test(part) || !programs.test(`${part} `))).toEqual([])
  })

  test('of package.json name files as they are spelt', () => {
    const named = Object.values(scripts).flatMap(script => script.match(/\b[\w/.-]+\.(?:ts|mjs)\b/g) ?? [])
    const onDisk = new Set(
      globSync('{*,{scripts,evals,bench,testing}/**/*}.{ts,mjs}', { cwd: root }).map(inPosix),
    )
    expect(named.length).toBeGreaterThan(15)
    expect(named.filter(name => !onDisk.has(name))).toEqual([])
  })

  test('of the CI recipe run in one shell on all systems', () => {
    const recipe = parse(readFileSync(join(root, '.github/workflows/ci.yml'), 'utf8')) as {
      defaults?: { run?: { shell?: string } }
    }
    // PowerShell, which is the default on Windows, takes the `--` of `npm run x -- y` for itself.
    expect(recipe.defaults?.run?.shell).toBe('bash')
  })

  test('of our scripts need no shell, which would split paths with blanks in them', () => {
    const texts = globSync('{scripts,bench,evals,testing,e2e}/**/*.{ts,mjs}', { cwd: root })
      .map(inPosix)
      .filter(path => !path.endsWith('.test.ts'))
      .map(path => ({ path, text: readFileSync(join(root, path), 'utf8') }))
    expect(texts.length).toBeGreaterThan(200)
    expect(
      texts.filter(({ text }) => /^\s*shell: (?:true|process)/m.test(text)).map(({ path }) => path),
    ).toEqual([])
    // Windows does not find programs such as npm without a shell: they are files for cmd.exe.
    const needy = /\b(?:spawn|spawnSync|execFile|execFileSync)\(\s*'(?:npm|npx|vitest|playwright|tsc|node)'/
    expect(texts.filter(({ text }) => needy.test(text)).map(({ path }) => path)).toEqual([])
  })

  test.each(['knip', 'oxfmt', 'oxlint', 'playwright', 'tsc', 'vitest'])(
    '%s is started as JavaScript',
    name => {
      expect(readFileSync(programFile(name), 'utf8')).toMatch(/^#!\/usr\/bin\/env node/)
      expect(nodeArguments([name, '--x'])).toEqual([programFile(name), '--x'])
    },
  )

  test('an unknown program is named, and Node itself needs no file', () => {
    expect(nodeArguments(['node', 'a b.ts'])).toEqual(['a b.ts'])
    expect(() => programFile('zod')).toThrow('has no program zod')
  })
})

const inPosix = (path: string) => path.split(sep).join('/')
