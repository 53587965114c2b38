import { existsSync, readFileSync } from 'node:fs'
import { packageConfiguration } from './scripts/package/configuration.ts'

// The build writes down what its worker scripts import.
const list = new URL('out/main/worker-files.json', import.meta.url)
if (!existsSync(list)) throw new Error('There is no build to package. Run “npm run build” first.')

export default packageConfiguration({
  platform: process.platform,
  env: process.env,
  workerFiles: JSON.parse(readFileSync(list, 'utf8')),
})
