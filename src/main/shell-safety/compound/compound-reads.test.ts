import { expect, test } from 'vitest'
import { compoundReads } from './compound-reads.ts'
import { parseShell } from '../parse/parse-shell.ts'

const readsOf = (command: string) =>
  compoundReads(command, parseShell(command, '/desk', '/home/ada'), '/desk')
const shown = (command: string) =>
  readsOf(command)?.commands.map(({ name, args, folder }) =>
    [...(folder === '/desk' ? [] : [`${folder}:`]), name, ...args.map(({ text }) => text)].join(' '),
  )

test.for<[string, string[]]>([
  ['for f in *.md; do head -3 "$f"; done', ['head -3 *.md']],
  ['for f in a b; do cat "$f.txt"; done', ['cat a.txt', 'cat b.txt']],
  ['f=README.md; wc -l "$f" && head -1 $f', ['wc -l README.md', 'head -1 README.md']],
  ['[ -f a.txt ] && cat a.txt', ['cat a.txt']],
  ['if [ -d src ]; then ls src; else ls; fi', ['ls src', 'ls']],
  ['cd src && ls | head -3', ['cd src', '/desk/src: ls', '/desk/src: head -3']],
  ['cd src; ls', ['cd src', 'ls', '/desk/src: ls']],
  ['echo "n: $(wc -l < a.txt)"', ['cat a.txt', 'wc -l', 'echo n: 1']],
  ['find src -name "*.ts" | xargs wc -l', ['find src -name *.ts', 'wc -l src']],
  ['find src -type f -exec grep -l x {} +', ['find src -type f', 'grep -l x src']],
  ['git show $(git rev-parse HEAD) --stat', ['git rev-parse HEAD', 'git show HEAD --stat']],
])('%s is followed to each command with all that it may get', ([command, want]) =>
  expect(shown(command)).toEqual(want),
)

test('names that another program prints are checked on the disk', () => {
  expect(readsOf('find src -name "*.ts" | while read -r f; do wc -l "$f"; done')?.checks).toEqual([
    { folder: '/desk', names: { start: 'src', isWild: false, isDeep: true, pattern: '*.ts' } },
  ])
  expect(readsOf('ls *.md | xargs wc -l')?.checks).toEqual([
    {
      folder: '/desk',
      names: { start: '*.md', isWild: true, isDeep: false, isFiles: true, pattern: undefined },
    },
  ])
})

test.for(
  [
    // An unknown value is opened as a file, or used as flags or as a program.
    ['cat "$x"', 'cat $(cat a.txt)', 'while read f; do cat "$f"; done < a.txt', 'cat a.txt | xargs cat'],
    ['x=$(cat a.txt); cat "$x"', 'for f in a; do x=$f; x=$(cat a); cat "$x"; done', 'echo $(cat a.txt)'],
    [
      'git log $(git describe --tags)..HEAD',
      'git log $(cat a.txt)',
      'find . | xargs sed',
      'find p | xargs sed -n',
    ],
    ['ls nothere 2>&1 | xargs cat', 'find . -name x | sed s/a/b/ | xargs cat', 'find . | xargs awk -F ,'],
    [
      'if true; then f=a; fi; cat "$f"',
      'false && f=a; cat $f',
      '{ ls; cd ..; }; cat x',
      'for i in 1 2; do cd src; ls; done',
    ],
    ['rg -l -A 3 x | xargs -n1 cat -f', 'for f in a*; do cat $f$f; done'],
    // Runs a program, writes, or is not understood by this check.
    ['for f in *.md; do rm "$f"; done', 'for f in *; do ./run "$f"; done', 'ls | while read l; do $l; done'],
    [
      'f() { ls; }; f',
      'case x in x) ls;; esac',
      'ls & pwd',
      'ls > b.txt',
      'cat <<< x',
      'echo `ls`',
      'PATH=. ls',
    ],
    [
      'path=src; ls',
      'http_proxy=x ls',
      'IFS=,; ls',
      'x[0]=1; ls',
      'echo ${!x}',
      'echo $((x[1]))',
      'eval ls',
      'select x in a; do ls; done',
    ],
    [
      'find . -exec sh -c id \\;',
      'find . -exec rm {} +',
      'xargs -a a.txt cat',
      'ls | xargs -p cat',
      'printf "%d" "$(cat a)"',
    ],
    [
      'while true; do ls; done',
      'until read x; do ls; done',
      '[[ $x -eq 1 ]] && ls',
      '[ -v x ] && ls',
      '[ -f ../x ] && ls',
      'time -o b.txt ls',
    ],
    [
      '{ ls',
      'if ls; then',
      'for f in *; ls',
      '( ls',
      'echo $(ls',
      'ls )',
      'done',
      'for f in *.md; do cat ~/"$f"; done',
    ],
  ].flat(),
)('%s is not known to only read', command => expect(readsOf(command)).toBeUndefined())

test('a search tells names of all that it searched, whatever its flags', () => {
  const startsOf = (command: string) => readsOf(command)?.checks.map(({ names }) => names.start)
  expect(startsOf('rg -l -A 3 x | xargs cat')).toEqual(['.'])
  expect(startsOf('grep -rl -A 3 x src | xargs cat')).toEqual(['src'])
  expect(startsOf('grep -rl x | xargs cat')).toEqual(['.'])
  expect(startsOf('for f in $(ls *.md); do x=$f; cat "$x"; done')).toEqual(['*.md'])
  expect(readsOf("find . -name '[[:alpha:]]*' | xargs cat")?.checks[0]?.names.pattern).toBeUndefined()
})

test('more than three hundred commands are not followed, and reading takes linear time', () => {
  const many = (n: number) => Array.from({ length: n }, () => 'cat a').join('; ')
  expect(readsOf(many(290))?.commands.length).toBe(290)
  expect(readsOf(many(310))).toBeUndefined()
  const loops = `for a in ${'x '.repeat(30)}; do for b in ${'y '.repeat(30)}; do cat "$a" "$b"; done; done`
  expect(readsOf(loops)).toBeUndefined()
  expect(readsOf(`${'$(echo '.repeat(40)}x${')'.repeat(40)}`)).toBeUndefined()
})
