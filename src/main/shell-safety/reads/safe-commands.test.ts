import { expect, test } from 'vitest'
import { onlyReadsConfined } from './confined-reads.ts'
import { onlyReadsPlainly } from './safe-commands.ts'
import { parseShell } from '../parse/parse-shell.ts'

const parse = (command: string) => parseShell(command, '/desk', '/home/ada')
const readsPlainly = (command: string) => onlyReadsPlainly(command, parse(command))
const readsConfined = (command: string) => onlyReadsConfined(command, parse(command))

// Hundreds more commands, judged together with files on a disk, are in evals/approvals/commands.jsonl.
test.for([
  'ls',
  'ls -1 src',
  "cat 'my notes.md'",
  'head -20 a.txt',
  'tail -c 100 log',
  'cd src && git status --short',
  'echo hello; date +%F',
  "date -d yesterday '+%F'",
  'git --no-pager log -5 --stat -- src',
  'git show HEAD:README.md',
  'git log HEAD~1 --format="%h %s"',
  "grep -nE 'a|b' a.md | head -5",
  'grep -rn x src',
  "find src \\( -name '*.ts' -o -name '*.tsx' \\) -print",
  'ps -o pid,etime -p 42',
  'sort -k 2 -n a | uniq -c',
  "sed -n '10,20p' a.txt",
  "sed -ne '/a/p' -e 's/a/b/gp' a.txt",
  "awk -F, '$3 > 5 {print $2}' a.csv",
  "jq -r '.items[] | .id' a.json",
  'cat a 2>/dev/null',
  'ls missing 2>&1',
  'cat *.md',
  'wc -l < a.txt',
])('only reads, confined or not: %s', command => {
  expect([readsPlainly(command), readsConfined(command)]).toEqual([true, true])
})

test.for([
  'for f in *.md; do wc -l "$f"; done',
  '[ -f a ] && cat a || echo none',
  'while read -r line; do echo "$line"; done < a.txt',
  'x=$(wc -l < a.txt); echo $x',
  "find . -name '*.ts' | xargs wc -l",
  'diff <(sort a) <(sort b)',
  'npm ls --depth=0',
  'env_less --version',
  'cat src/*.{ts,py}',
  'git -C sub status',
  'cat <<E\nE',
  'gzip -c a.txt | wc -c',
  'cat a.txt | gzip | wc -c',
  'gunzip -l a.gz',
  'shuf -n 3 a.txt',
  'iconv -f latin1 a.txt',
  'python3 -m json.tool a.json',
])('only reads, where it is confined: %s', command => {
  expect([readsPlainly(command), readsConfined(command)]).toEqual([false, true])
})

test.for([
  '',
  'rm a',
  'ls > files.txt',
  'ls >> files.txt',
  'ls &',
  'sudo ls',
  'env ls',
  './ls',
  '/tmp/ls',
  "'.'./ls",
  'ls; rm a',
  'ls | tee files.txt',
  'bash -c ls',
  'tail -f log',
  "rg --pre 'sh' x",
  'find . -delete',
  'find . -exec rm {} +',
  "find . -fprint out -name '*'",
  'sort -o a a',
  'sort --output=a a',
  'uniq a b',
  'date -s tomorrow',
  'date -I -s tomorrow',
  'date 010100002030',
  'tree -o files.txt',
  'tree -ao files.txt',
  'file -C -m magic',
  'git commit -m x',
  'git branch new',
  'git tag v1',
  'git stash',
  'git -c core.pager=sh log',
  'git log --output=x',
  'git diff --ext-diff',
  'git blame -M --output=x a',
  'git grep -O x',
  "sed -i 's/a/b/' c",
  "sed 's/a/b/w out' c",
  'awk \'BEGIN { system("rm a") }\'',
  "awk '{print > $1}' a",
  'printf -v PATH x',
  'printf -vPATH ./bin; ls',
  "printf '%s%n' x PATH",
  'ls\rrm a',
  'cat a\r',
  'ls\u202e -la',
  'PATH=. ls',
  'echo $SECRET_KEY',
  'npm install',
  'hostname new',
  'ls "unclosed',
  // Commands that must write are asked about right away: if confined to reading, they could only fail.
  'gzip a.txt',
  'gunzip a.gz',
  'uniq - b',
  'xxd - b',
  'shuf -o a a',
  'iconv -f latin1 -o b a',
  'zstdcat a.zst -o b',
  'cloc --out=report.txt .',
  'yq -s .name a.yml',
  'python3 -m json.tool a.json b.json',
])('may do more than read: %s', command => {
  expect([readsPlainly(command), readsConfined(command)]).toEqual([false, false])
})

test.for([
  // After `cd` in a pipe or after a condition, the next command may run in either folder.
  'cd sub | cat plain.txt',
  'false && cd sub; cat plain.txt',
  'cd sub || cat plain.txt',
  'cd -',
  'cd',
  // A wildcard may become a flag, a second operand or a format.
  'uniq *',
  'head -n *',
  'printf *',
  'ls -*',
  'ps -o environ',
  "jq -n '$ENV' a",
  'less a',
  'man ls',
  'xargs cat',
  'cat $FILE',
  'cat "$(ls)"',
])('is not plain enough to run unconfined: %s', command => {
  expect(readsPlainly(command)).toBe(false)
})
