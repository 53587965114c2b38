/** A question in a chat, and the replies of the built-in model, one text per request. */
export type ScriptedTurn = { ask: string; replies: readonly string[] }

const call = (name: string, given: Record<string, unknown>): string =>
  `<tool_call>\n${JSON.stringify({ name, arguments: given })}\n</tool_call>`

/** The files of the folder in which the turns work. */
export const FILES = {
  'notes.md': '# Notes\n\nBuy milk.\nCall Ada on Monday.\n',
  'src/a.ts': 'export const port = 8123\n',
  'src/b.ts': "import { port } from './a.ts'\n",
}

/**
 * Turns in which every tool of the built-in model works once, fails once, or is called wrongly; then
 * follow-ups, corrections, forgetting, skills, refusals and questions. Ten of them are one chat.
 */
export const TURNS: readonly ScriptedTurn[] = [
  { ask: 'Hello.', replies: ['Hello. How can I help?'] },
  { ask: 'What is in this folder?', replies: [call('list_files', {}), 'Notes and sources.'] },
  { ask: 'Read my notes.', replies: [call('read_file', { path: 'notes.md' }), 'Buy milk and call Ada.'] },
  { ask: 'Read note.md.', replies: [call('read_file', { path: 'note.md' }), 'There is none.'] },
  {
    ask: 'Read its second line.',
    replies: [call('read_file', { path: 'notes.md', offset: 3, limit: 1 }), 'Buy milk.'],
  },
  {
    ask: 'Write a list.',
    replies: [call('write_file', { path: 'list.md', content: 'One.\nTwo.\n' }), 'Done.'],
  },
  {
    ask: 'Buy bread instead.',
    replies: [
      call('patch_file', { path: 'notes.md', old_string: 'Buy milk.', new_string: 'Buy bread.' }),
      'Done.',
    ],
  },
  {
    ask: 'And butter.',
    replies: [
      call('patch_file', { path: 'notes.md', old_string: 'Buy butter', new_string: 'Buy cheese' }),
      'It is not there.',
    ],
  },
  {
    ask: 'Where is the port?',
    replies: [call('search_files', { pattern: 'port', glob: '*.ts' }), 'In a.ts.'],
  },
  { ask: 'Where is Zurich?', replies: [call('search_files', { pattern: 'Zurich' }), 'Nowhere.'] },
  { ask: 'Say hello in the shell.', replies: [call('terminal', { command: 'echo hello' }), 'Hello.'] },
  { ask: 'Fail.', replies: [call('terminal', { command: 'ls nowhere; exit 3' }), 'It failed.'] },
  {
    ask: 'My name is Ada.',
    replies: [
      call('memory', { action: 'add', target: 'user', content: 'The user is named Ada.' }),
      'I will remember that.',
    ],
  },
  {
    ask: 'Once more: Ada.',
    replies: [
      call('memory', { action: 'add', target: 'user', content: 'The user is named Ada.' }),
      'I know.',
    ],
  },
  { ask: 'What did we say of milk?', replies: [call('session_search', { query: 'milk' }), 'Nothing else.'] },
  { ask: 'Which skills are there?', replies: [call('skills_list', {}), 'Some.'] },
  { ask: 'Use a skill.', replies: [call('skill_view', { name: 'no-such-skill' }), 'There is none.'] },
  {
    ask: 'Read twice.',
    replies: [
      call('read_file', { path: 'src/a.ts' }) + call('read_file', { path: 'src/b.ts' }),
      'Both read.',
    ],
  },
  { ask: 'Use a tool that is not there.', replies: [call('make_coffee', { cups: 2 }), 'I cannot.'] },
  {
    ask: 'Call it wrongly.',
    replies: [call('read_file', { file: 3 }), '<tool_call>\n{"name": "read_file", "arguments"', 'I cannot.'],
  },
  // Follow-ups and corrections.
  { ask: 'List src.', replies: [call('list_files', { path: 'src' }), 'a.ts and b.ts.'] },
  { ask: 'Read the first one.', replies: [call('read_file', { path: 'src/a.ts' }), 'The port is 8123.'] },
  {
    ask: 'Make it 9000.',
    replies: [
      call('patch_file', { path: 'src/a.ts', old_string: '8123', new_string: '9000' }),
      'It is 9000 now.',
    ],
  },
  {
    ask: 'No, 9001.',
    replies: [
      call('patch_file', { path: 'src/a.ts', old_string: '9000', new_string: '9001' }),
      'It is 9001 now.',
    ],
  },
  { ask: 'Is it there?', replies: [call('search_files', { pattern: '9001', path: 'src' }), 'Yes.'] },
  { ask: 'List docs.', replies: [call('list_files', { path: 'docs' }), 'There is no such folder.'] },
  { ask: 'I meant src.', replies: [call('list_files', { path: 'src' }), 'a.ts and b.ts.'] },
  { ask: 'Thanks.', replies: ['You are welcome.'] },
  // Asking back, in the form of a call that it was not trained on.
  {
    ask: 'Read it again.',
    replies: [call('ask_user', { question: 'Which file?', choices: ['a.ts', 'b.ts'] }), 'Which file?'],
  },
  { ask: 'b.ts', replies: [call('read_file', { path: 'src/b.ts' }), 'It imports the port.'] },
  // Remembering, correcting and forgetting.
  {
    ask: 'I live in Bern.',
    replies: [
      call('memory', { action: 'add', target: 'user', content: 'The user lives in Bern.' }),
      'Saved.',
    ],
  },
  {
    ask: 'No, in Graz.',
    replies: [
      call('memory', {
        action: 'replace',
        target: 'user',
        old_text: 'Bern',
        content: 'The user lives in Graz.',
      }),
      'Corrected.',
    ],
  },
  {
    ask: 'Forget where I live.',
    replies: [call('memory', { action: 'remove', target: 'user', old_text: 'Graz' }), 'Forgotten.'],
  },
  {
    ask: 'Forget my dog.',
    replies: [call('memory', { action: 'remove', target: 'user', old_text: 'dog' }), 'I know of none.'],
  },
  {
    ask: 'Change something.',
    replies: [call('memory', { target: 'user', action: 'replace', content: 'x' }), 'What?'],
  },
  // Skills.
  {
    ask: 'Keep how we greet as a skill.',
    replies: [
      call('skill_manage', {
        action: 'create',
        name: 'greet',
        description: 'Greets. Use for a greeting.',
        content: '1. Run `echo hello`.',
      }),
      'Kept.',
    ],
  },
  { ask: 'Show it.', replies: [call('skill_view', { name: 'greet' }), 'One step.'] },
  {
    ask: 'It should say hi.',
    replies: [
      call('skill_manage', { action: 'patch', name: 'greet', old_string: 'hello', new_string: 'hi' }),
      'It says hi now.',
    ],
  },
  { ask: 'Delete it.', replies: [call('skill_manage', { action: 'delete', name: 'greet' }), 'Deleted.'] },
  { ask: 'What did we talk about lately?', replies: [call('session_search', {}), 'Files and notes.'] },
]
