import { ensureChromium } from './chromium.ts'
import { closingLine, runSuite, suites } from './suites.ts'

// `npm test`: run all suites up to the first failure.
const chromium = ensureChromium()
const total = { passed: 0, failed: 0, skipped: 0 }
for (const suite of Object.values(suites)) {
  console.log(`\n── ${suite.name} ──`)
  const { passed, failed, skipped, code, seconds } = await runSuite(suite, chromium)
  total.passed += passed
  total.failed += failed
  total.skipped += skipped
  console.log(
    `── ${suite.name}: ${code === 0 ? 'passed' : `failed with code ${code}`} in ${seconds.toFixed(1)} s`,
  )
  process.exitCode = code
  if (code !== 0) break
}
console.log(`\n${closingLine(total)}`)
