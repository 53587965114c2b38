/** Rewrite a tool result in the words that the built-in model was trained on, as closely as is sensible. */
export function trainedResult(name: string, text: string): string {
  const rewrite = REWRITES[name] ?? []
  return [...rewrite, ...OF_ANY_TOOL].reduce((result, [from, to]) => result.replaceAll(from, to), text)
}

type Rewrite = readonly [from: RegExp | string, to: string]

/** A remark on arguments that a tool does not take. */
const OF_ANY_TOOL: readonly Rewrite[] = [[/\n\(Not taken by this tool, and left out: [^\n]*\)$/g, '']]

/**
 * Wordings of today's tools that differ from those of the training. Each left side is a text of the tool of
 * that name; `trained-results.test.ts` fails if such a text changes.
 */
const REWRITES: Readonly<Record<string, readonly Rewrite[]>> = {
  terminal: [
    [
      'For more time set timeout_s; for a server or watcher use action start.',
      'For more time set timeout_s; to leave it running end it with &.',
    ],
    ['For a server or watcher use action start.', 'Use it in the same call that starts it.'],
    [' With action start you could read its output and stop it.', ''],
  ],
  read_file: [
    [
      /\[line (\d+) goes on: read again with offset \d+ and column \d+\]/g,
      '[line $1 has more characters: find what you need in it with search_files, path and pattern]',
    ],
  ],
  memory: [
    [/, "replaced": .*\}$/g, '}'],
    [/ \d+ entr(?:y was|ies were) there already\./g, ''],
    [/ “[^]*” say(?:s)? the same\. To change its words, [^"]*/g, ''],
    [/Nothing was changed, because of operation \d+: /g, ''],
    [/(old_text is missing: [^\n]*?\.) Call again with it\.[^]*/g, '$1'],
    [
      'Nothing to do: give action (add, replace or remove), or operations with a list of such changes.',
      'action is missing: add, replace or remove.',
    ],
    [
      'Not saved, as before. Do not call memory again in this turn: answer the user, and say what could not be saved and why.',
      'This has failed three times. Do not try again now; tell the user what could not be saved and why.',
    ],
  ],
  session_search: [
    [/^\[\d+ of \d+ messages shown[^\n]*\]$\n?/gm, ''],
    [/^\[Message \d+ is not in [^\n]*\]$\n/gm, ''],
    [/^((?:→| ) \w+ \(\d+), \d{4}-\d\d-\d\d/gm, '$1'],
    [/(?<!\n)\n+$/g, ''],
  ],
  skills_list: [[/ \[(?:tags|related|files): [^\n]*\]$/gm, '']],
  skill_view: [
    [/\n\n\[(?:Tags: |Related skills: |Commands have |[^\n]* (?:has|have) a skill )[^\n]*\]$/g, ''],
  ],
}
