import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { trainedResult } from './trained-results.ts'

test.for([
  ['terminal', 'exit code 0\nHi.', 'exit code 0\nHi.'],
  [
    'terminal',
    'Error: stopped after 2 s\n(no output)\n[For more time set timeout_s; for a server or watcher use action start.]',
    'Error: stopped after 2 s\n(no output)\n[For more time set timeout_s; to leave it running end it with &.]',
  ],
  [
    'read_file',
    'a.txt, line 1 of 1, characters 1-9 of 20\n123456789\n[line 1 goes on: read again with offset 1 and column 10]',
    'a.txt, line 1 of 1, characters 1-9 of 20\n123456789\n[line 1 has more characters: find what you need in it with search_files, path and pattern]',
  ],
  [
    'memory',
    '{"success": true, "message": "Entry replaced.", "replaced": "Has a {dog}"}',
    '{"success": true, "message": "Entry replaced."}',
  ],
  [
    'memory',
    'Error: old_text is missing: remove needs a part of the entry that is meant. Call again with it. The entries are:\n- Tea',
    'Error: old_text is missing: remove needs a part of the entry that is meant.',
  ],
  [
    'session_search',
    '## Tea, 2026-01-01 (session_id c)\n→ user (1): Tea?\n  assistant (2, 2026-01-04): Yes.\n[2 of 2 messages shown.]',
    '## Tea, 2026-01-01 (session_id c)\n→ user (1): Tea?\n  assistant (2): Yes.',
  ],
  [
    'skills_list',
    '- a: Sorts. [tags: csv; files: x.md]\n- b: Reads [what].',
    '- a: Sorts.\n- b: Reads [what].',
  ],
  [
    'skill_view',
    '1. Sort.\n\n[Files of this skill, in /s: x.md. Read one with file_path.]\n\n[Tags: csv.]',
    '1. Sort.\n\n[Files of this skill, in /s: x.md. Read one with file_path.]',
  ],
  ['write_file', 'Created a.\n(Not taken by this tool, and left out: "zebra".)', 'Created a.'],
] as const)('a result of %s is told as in the training: %s', ([name, text, trained]) => {
  expect(trainedResult(name, text)).toBe(trained)
})

test('what is replaced are texts that the tools say, word for word', () => {
  const source = (path: string) => readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8')
  const said = [
    ['tools/terminal/terminal.ts', 'For more time set timeout_s; for a server or watcher use action start.'],
    ['tools/terminal/terminal.ts', 'For a server or watcher use action start.'],
    ['tools/terminal/terminal.ts', ' With action start you could read its output and stop it.'],
    ['tools/files/page-of-text.ts', ' goes on: read again with offset '],
    ['memory/memory-tool.ts', ' there already.'],
    ['memory/memory-tool.ts', 'Nothing was changed, because of operation '],
    ['memory/memory-tool.ts', ' Call again with it.'],
    [
      'memory/memory-tool.ts',
      'Nothing to do: give action (add, replace or remove), or operations with a list of such changes.',
    ],
    ['memory/memory-tool.ts', 'Not saved, as before. Do not call memory again in this turn: '],
    ['chats/search/tool/session-search-tool.ts', ' messages shown'],
    ['chats/search/tool/session-search-tool.ts', '[Message ${id} is not in '],
    ['tools/registry/tool-arguments.ts', 'Not taken by this tool, and left out: '],
    ['skills/tools/skills-list.ts', "['tags', skill.tags]"],
    ['skills/tools/skill-view.ts', 'Tags: '],
    ['tools/ask-user.ts', 'The user answers: '],
  ] as const
  for (const [path, text] of said) expect(source(path), path).toContain(text)
})
