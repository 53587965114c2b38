import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { runEval } from '../testing/evals/run-eval.ts'

const TOOL = { server: 'a', name: 'b', description: '' }

/** An eval, its arguments, the content of the argument `FILE`, and what the eval must say. */
const BAD: { name: string; args: string[]; file?: string; says: string }[] = [
  { name: 'skillscan', args: ['--labels', 'no-such-folder', 'dev'], says: 'no-such-folder' },
  { name: 'skillscan', args: ['FILE'], file: '{"text": 1}', says: 'Line 1 of' },
  { name: 'schedule', args: ['FILE'], file: '', says: 'has no rows' },
  { name: 'schedule', args: ['FILE'], file: '{"id": "a", "text": "every day at 9"}', says: 'want' },
  {
    name: 'schedule',
    args: ['FILE'],
    file: '{"id": "a", "text": "at 9", "want": "daily"}',
    says: 'no label',
  },
  {
    name: 'schedule',
    args: ['FILE'],
    file: '{"id": "a", "text": "at 9", "want": "refused", "zone": "Mars"}',
    says: 'no time zone',
  },
  {
    name: 'findtool',
    args: ['--words', 'FILE'],
    file: JSON.stringify({ tools: [TOOL], request: 'x', want: 'b' }),
    says: 'by server and name',
  },
  { name: 'findtool', args: ['--daily', 'FILE'], file: '{}', says: 'Usage' },
  { name: 'delegate', args: ['FILE'], file: '{"id": "a", "agents": [{"says": ["x"]}]}', says: 'facts' },
  {
    name: 'summaries',
    args: ['FILE'],
    file: '{"id": "a", "chat": "vera", "summary": "", "expect": "so-so"}',
    says: 'expect',
  },
  {
    name: 'summaries',
    args: ['FILE'],
    file: '{"id": "a", "chat": "no", "summary": "", "expect": "junk"}',
    says: 'a chat that is not there',
  },
  { name: 'summaries', args: ['--model', 'no-such-file.gguf'], says: 'There is no model' },
  { name: 'addresses', args: ['--stale'], says: 'Usage' },
  { name: 'addresses', args: ['no-such-file.jsonl'], says: 'no-such-file.jsonl' },
  { name: 'addresses', args: ['FILE'], file: '{"id": "a", "url": ["https://x"]}', says: 'url' },
  {
    name: 'addresses',
    args: ['FILE'],
    file: '{"id": "a", "url": "https://x.example", "resolves": {"x.example": "10.0.0.1"}}',
    says: 'resolves.x.example',
  },
  { name: 'webread', args: ['no-such-folder'], says: 'does not exist' },
  { name: 'webread', args: ['FILE'], file: '{"id": "a"}', says: 'html' },
  { name: 'webread', args: ['--twice'], says: 'Usage' },
  { name: 'edits', args: ['--each', '0'], says: 'Usage' },
  { name: 'edits', args: ['--twice'], says: 'Usage' },
  {
    name: 'builtin',
    args: ['--id', 'FILE', '--split', 'id'],
    file: '{"id": "a", "task": "b", "messages": []}',
    says: 'no reply',
  },
  { name: 'builtin', args: ['--model', 'no-such-file.gguf'], says: 'There is no model' },
  { name: 'small', args: [], says: 'Usage' },
  { name: 'small', args: ['no-such-file.gguf'], says: 'There is no model' },
  { name: 'small', args: ['FILE'], file: 'GGUF, or so it says', says: 'GGUF' },
  { name: 'small', args: ['builtin', '--folder', 'no-such-folder'], says: 'There is no folder' },
  {
    name: 'small',
    args: ['builtin', '--requests', 'FILE'],
    file: '{"id": "a", "text": "Hi"}',
    says: 'expect',
  },
  {
    name: 'small',
    args: ['builtin', '--requests', 'FILE'],
    file: '{"id": "a", "text": "Hi", "expect": null}\n{"id": "b", "te',
    says: 'Line 2 of',
  },
  {
    name: 'small',
    args: ['builtin', '--requests', 'FILE', '--requests', 'FILE'],
    file: '{"id": "a", "text": "Hi", "expect": null}',
    says: 'Two rows have the id a',
  },
]

describe.concurrent('bad input is named, with exit code 2 and no figure', () => {
  test.for(BAD)(
    'eval:$name, where it must say “$says”',
    { timeout: 120_000 },
    async ({ name, args, file: text, says }, { expect }) => {
      const folder = mkdtempSync(join(tmpdir(), 'talaria-bad-input-'))
      try {
        const file = join(folder, 'given.jsonl')
        if (text !== undefined) writeFileSync(file, text)
        const given = args.map(arg => (arg === 'FILE' ? file : arg))
        const ended = await runEval(name, given, folder)
        expect([ended.code, ended.out]).toEqual([2, ''])
        expect(ended.said).toContain(says)
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    },
  )
})
