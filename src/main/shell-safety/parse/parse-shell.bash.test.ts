import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseShell } from './parse-shell.ts'

const PRELUDE = `log() { printf '%s ' "$@" >&3; printf '\\n' >&3; }
a() { log a "$@"; }; b() { log b "$@"; }; c() { log c "$@"; }; export -f log a b c`

/** The commands of `a`, `b` and `c` that bash really runs. */
function ranByBash(program: string): string[] {
  const bash = spawnSync('/bin/bash', ['-c', `${PRELUDE}\n${program}`], {
    env: { HOME: '/home/ada', PATH: '/usr/bin:/bin' },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    timeout: 10_000,
  })
  return String(bash.output[3])
    .split('\n')
    .filter(Boolean)
    .map(line => line.trim())
}

test
  .skipIf(!existsSync('/bin/bash'))
  .for([
    'a 1; b "2 3" | c',
    'a && b || c',
    'X=b; $X 1',
    'X="b 1"; X+=" 2"; $X',
    'X=a; Y=X; X=b; $X',
    '$(printf b) 1',
    '`echo c` 1',
    "$'\\x61' 1",
    '{a,1,2}',
    '\\a 1; "b" 2; \'c\' 3',
    'if a; then b; else c; fi',
    'if false\nthen a\nelif true\nthen b\nfi',
    'for i in a b c; do $i 1; done',
    'for i in $(echo b); do $i; done',
    'for ((i=0; i<2; i++)); do a; done',
    'until a; do b; done',
    'case x in y|x) a;; *) b;; esac',
    'case x in (x) case y in *) b;; esac;; esac; c',
    '(a; b) | c; { a; } 2>&1',
    'f() { a; }; f; function g { b; }; g; h() (c); h',
    'eval "a; b"; eval c 1',
    "bash -c 'a; b'",
    "bash -c '$0 1' b",
    'bash -c \'"$@"\' _ c 1',
    'bash -ec \'bash -c "b 1"\'',
    "bash <<'E'\na 1\nE\nb 2",
    'bash <<< "b 1"',
    'cat <<E\n$(a 1)\nE\nb',
    "cat <<'E'\n$(a 1)\nE\nb",
    'cat <(a) <(b)',
    'echo "a 1" | bash; printf "%s\\n" "b 2" | bash -s',
    'echo YSAx | base64 -d | bash',
    '[[ x < y && -n $(a) ]] && b',
    '(( 1 > 0 )) && a; echo $(( $(b; echo 1) + 1 ))',
    '! a; time b',
    "trap 'a 1' EXIT; b",
    'set -- c; $1 2',
    'read X <<< b; $X 1',
    'printf -v X %s a; $X 1',
    'X=(a 1); "${X[@]}"',
    'X=$(echo b); $X',
    '${NONE:-a} 1; "${NONE:=b}" 2; $NONE 3',
    'echo ${NONE:-`c`}',
    'HOME=b; X=${HOME:0:1}; $X 1',
    '$NONE a 1',
    'a 1 # b\n#c\nc 2',
    'a \\\n 1; b',
    'a <<< "$(b)" > /dev/null 2>&1',
    'while read X; do $X; done <<< "c 1"',
  ])('what bash runs is found: %s', program => {
  const ran = ranByBash(program)
  const parsed = parseShell(program, '/desk', '/home/ada')
  const found = new Set(parsed.commands.map(command => command.name))
  const unknown = parsed.commands.some(command => /[\uE000\uE001]/.test(command.program?.text ?? ''))
  const missed = ran.filter(line => !found.has(line.split(' ', 1)[0]!))
  expect({ unparsed: parsed.unparsed, ranNothing: ran.length === 0, missed: unknown ? [] : missed }).toEqual({
    unparsed: undefined,
    ranNothing: false,
    missed: [],
  })
})
