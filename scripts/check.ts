import { startProgram } from './programs.ts'

// `npm run check`: everything that can be found without running the product. Two programs run side by side;
// each prints when it has ended, so that their lines do not mix.
const waiting = [
  // The slowest one first. It reads all types once, for its rules and for the compiler's errors.
  'oxlint --type-check',
  'knip',
  // Only the product counts: an export or a file that only tests, evals and benchmarks use is reported as
  // unused.
  'knip --production',
  // oxlint checks shared files with the types of the host, but a window runs them too and has no Node.
  'tsc -p tsconfig.shared.json',
  'oxfmt --check',
  'node scripts/plurals.ts',
  'node scripts/sentences.ts',
  'node scripts/patterns.ts',
]

async function runChecks(): Promise<void> {
  for (let command = waiting.shift(); command !== undefined; command = waiting.shift()) {
    const { code, output } = await runCommand(command)
    if (output !== '' && code !== 0) console.log(output.trimEnd())
    if (code === 0) continue
    console.error(`check: ${command} failed with code ${code}`)
    process.exitCode = 1
  }
}

function runCommand(command: string): Promise<{ code: number; output: string }> {
  const [program, ...args] = command.split(' ') as [string, ...string[]]
  const child = startProgram([program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8')
    stream?.on('data', (text: string) => (output += text))
  }
  return new Promise(resolve => {
    child.once('error', error => resolve({ code: 1, output: error.message }))
    child.once('close', code => resolve({ code: code ?? 1, output }))
  })
}

await Promise.all([runChecks(), runChecks()])
