import { buildIfStale } from '../scripts/build.ts'
import { whyNoDesktop } from './start-desktop.ts'

/** Before all specs: build if the build is old, and say once why the desktop project is skipped. */
export default function setUp(): void {
  buildIfStale()
  const reason = whyNoDesktop()
  if (reason) console.log(`The desktop project is skipped: ${reason}.`)
}
