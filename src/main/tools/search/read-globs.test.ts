import fc from 'fast-check'
import { expect, test } from 'vitest'
import '../../../../testing/seed-properties.ts'
import { aWorkspace } from '../../../../testing/tools/a-workspace.ts'
import { readGlobs } from './read-globs.ts'
import { globFilter } from './glob-filter.ts'
import { searchFolder } from './search-folder.ts'

const FILES = [
  'src/b.ts',
  'src/c.tsx',
  'src/my notes.md',
  'src/a,b.csv',
  'app/[id]/page.tsx',
  'a.ts',
  'd.md',
  'notes.md',
  'Menu/Cafe\u0301.txt',
]

/** The files that a search for `x` reads. */
function filesFor(glob: string, path = '') {
  const { workspace } = aWorkspace(Object.fromEntries(FILES.map(name => [name, 'x'])))
  const target = `${workspace}${path === '' ? '' : `/${path}`}`
  const given = glob.replace('WORKSPACE', workspace)
  const globs = readGlobs(given, [`${target}/`, `${workspace}/`, ...(path === '' ? [] : [`${path}/`])])
  if ('refused' in globs) return globs.refused
  const files: string[] = []
  searchFolder({ target, isFile: false, pattern: 'x', globs }, { found: match => files.push(match.file) })
  return files.toSorted()
}

const TS = ['a.ts', 'app/[id]/page.tsx', 'src/b.ts', 'src/c.tsx']

test.for<[string, string[]]>([
  ['*.ts', ['a.ts', 'src/b.ts']],
  ['*.TS', ['a.ts', 'src/b.ts']],
  ['**/*.ts', ['a.ts', 'src/b.ts']],
  ['./*.ts', ['a.ts', 'src/b.ts']],
  ['/*.ts', ['a.ts']],
  ['src/**', ['src/a,b.csv', 'src/b.ts', 'src/c.tsx', 'src/my notes.md']],
  ['src/', ['src/a,b.csv', 'src/b.ts', 'src/c.tsx', 'src/my notes.md']],
  ['./src/*.tsx', ['src/c.tsx']],
  ['src\\*.tsx', ['src/c.tsx']],
  ['!*.ts', FILES.filter(name => !name.endsWith('.ts'))],
  ['!src', FILES.filter(name => !name.startsWith('src'))],
  ['{{{', []],
  ['[z-a].ts', []],
  ['?.ts', ['a.ts', 'src/b.ts']],
  ['[!a].ts', ['src/b.ts']],
  // Lists in every spelling.
  ['*.{ts,tsx}', TS],
  ['*.ts,*.tsx', TS],
  ['*.ts, *.tsx', TS],
  ['*.ts *.tsx', TS],
  ['*.ts;*.tsx', TS],
  ['*.ts|*.tsx', TS],
  ['*.ts\n*.tsx', TS],
  ['*.(ts|tsx)', TS],
  ['*.@(ts|tsx)', TS],
  ['["*.ts","*.tsx"]', TS],
  ['"*.ts" "*.tsx"', TS],
  ['{src,app}/**/*.{ts,tsx}', ['app/[id]/page.tsx', 'src/b.ts', 'src/c.tsx']],
  ['*.ts,*.tsx,!src/**', ['a.ts', 'app/[id]/page.tsx']],
  ['*.ts *.tsx ! src', ['a.ts', 'app/[id]/page.tsx']],
  // Whole paths.
  ['src/b.ts', ['src/b.ts']],
  ['WORKSPACE/src/b.ts', ['src/b.ts']],
  ['WORKSPACE/src/*.ts', ['src/b.ts']],
  ['`src/b.ts`', ['src/b.ts']],
  // Names that hold signs of lists and globs.
  ['my notes.md', ['src/my notes.md']],
  ['src/my notes.md', ['src/my notes.md']],
  ['a,b.csv', ['src/a,b.csv']],
  ['app/[id]/page.tsx', ['app/[id]/page.tsx']],
  ['app/\\[id\\]/*', ['app/[id]/page.tsx']],
  ['Café.txt', ['Menu/Cafe\u0301.txt']],
  ['', FILES],
  ['*', FILES],
  ['.', FILES],
  ['**', FILES],
])('the glob %j', ([glob, files]) => {
  expect(filesFor(glob)).toEqual(files.toSorted())
})

test('in a folder that is named as path, a glob may begin with that folder or not', () => {
  expect(filesFor('*.ts', 'src')).toEqual(['b.ts'])
  expect(filesFor('src/*.ts', 'src')).toEqual(['b.ts'])
  expect(filesFor('WORKSPACE/src/*.ts', 'src')).toEqual(['b.ts'])
})

test.for([
  ['../*.ts', 'leads out of the searched folder'],
  ['*.ts ../x/*.md', 'leads out of the searched folder'],
  ['/etc/*.conf', 'is not below the searched folder'],
  ['~/notes/*.md', 'is not below the searched folder'],
  ['C:\\notes\\*.md', 'is not below the searched folder'],
  ['*.+(ts|js)', 'has a form of shells that is not known here'],
  ['{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}', 'more than 64 globs'],
])('the glob %s is refused with the reason', ([glob, reason]) => {
  expect(filesFor(glob!)).toContain(reason)
})

test('a folder is left aside exactly when no file that a glob wants can lie in it', () => {
  const name = fc.constantFrom('a', 'b', 'c.ts')
  const segment = fc.constantFrom('a', 'b', '*', '**', '*.ts', '?')
  fc.assert(
    fc.property(
      fc.array(segment, { minLength: 1, maxLength: 4 }),
      fc.array(name, { minLength: 1, maxLength: 4 }),
      (glob, path) => {
        const filter = globFilter({ included: [glob.join('/')], excluded: [] })
        if (!filter.wants(path.join('/'))) return
        for (let depth = 1; depth < path.length; depth += 1)
          expect(filter.reaches(path.slice(0, depth).join('/'))).toBe(true)
      },
    ),
  )
})

test('no text of a glob makes the reader or the filter fail', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...Array.from('ab*?[]{}()!,|\\/. -^"é')), maxLength: 30 }),
      glob => {
        const globs = readGlobs(glob, ['/project/'])
        if ('refused' in globs) expect(globs.refused).not.toBe('')
        else for (const each of globs) expect(typeof globFilter(each).wants('a/b.ts')).toBe('boolean')
      },
    ),
  )
})
