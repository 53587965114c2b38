import { readExtent } from '../../src/main/models/engines/local/gguf/gguf-header.ts'
import { openDownloads } from '../../src/main/models/download/open-downloads.ts'

// A host that only downloads, to be killed by a test. Arguments: `home`, `address`.
const [home = '', address = ''] = process.argv.slice(2)
const never = () => {
  throw new Error('nobody asks for this')
}
const transfers = openDownloads({
  home,
  fetchFor: () => fetch,
  locked: () => false,
  readExtent,
  check: async () => undefined,
  idOf: path => path,
  known: async () => [],
  fitting: never,
  onChange: () => {},
  now: Date.now,
  report: error => console.error(error),
})
await transfers.download({ address })
process.send?.('begun')
