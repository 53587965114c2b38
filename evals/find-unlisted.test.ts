import { expect, test } from 'vitest'
import { rootFolder } from '../src/main/lib/disk/shipped-files.ts'
import { aProject, aRecord } from '../testing/evals/a-project.ts'
import { allEvals } from './all-evals.ts'
import { findUnlisted } from './find-unlisted.ts'
import { readRecords } from './records.ts'

test('every eval has its script, every script is in the list, and every eval of the tests is compared there', () => {
  expect(allEvals.length).toBeGreaterThan(20)
  expect(findUnlisted(allEvals, readRecords(), rootFolder())).toEqual([])
})

test('what is forgotten in the list is found', () => {
  using project = aProject({})
  const compares = (name: string) => `expect(differences('${name}', figures)).toEqual([])`
  project.put(
    'package.json',
    JSON.stringify({
      scripts: {
        'eval:one': 'node evals/one/index.ts',
        'eval:two': 'node evals/two/index.ts',
        'eval:three': 'node evals/three/index.ts',
        'eval:new': 'node evals/new/index.ts',
        'eval:odd': 'tsx evals/odd.ts',
        evals: 'node evals/index.ts',
      },
    }),
  )
  project.put('evals/one/deep/figures.test.ts', compares('one'))
  project.put('evals/two/figures.test.ts', `${compares('one')} // not 'two-words'`)
  project.put('evals/two/index.ts', compares('two'))
  project.put('evals/three/figures.test.ts', 'differences(`three-own-${form}`, figures)')
  const row = (name: string, script: string, inTests = true) => ({ name, script, args: [], inTests })
  const evals = [
    row('one', 'eval:one'),
    row('two', 'eval:two'),
    row('two-slow', 'eval:two', false),
    row('three-own-full', 'eval:three'),
    row('three-full', 'eval:three'),
    row('odd', 'eval:odd'),
    row('gone', 'eval:gone', false),
    row('one', 'eval:one'),
  ]
  const records = {
    one: aRecord({ right: 1 }),
    former: aRecord({ right: 1 }),
    'bench.rpc': aRecord({ ms: 1 }),
  }
  expect(findUnlisted(evals, records, project.root)).toEqual([
    'No eval of the list runs eval:new of package.json.',
    'odd runs eval:odd, which package.json does not have as “node FILE”.',
    'gone runs eval:gone, which package.json does not have as “node FILE”.',
    "No test in evals/two calls differences('two', …), although two is said to be in the tests.",
    "No test in evals/three calls differences('three-full', …), although three-full is said to be in the tests.",
    'Two evals have the name one.',
    'The record former belongs to no eval.',
  ])
})
