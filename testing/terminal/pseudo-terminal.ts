/** How a program is started on a pseudo-terminal, or why it cannot be. */
export type OnTerminal = { program: string; args: readonly string[] } | { whyNot: string }

/**
 * The command line that starts a program on a pseudo-terminal with this many columns, using `script`. Linux
 * (util-linux) takes the command as one text, macOS (BSD) as words after the file. `script` on macOS ends if
 * its input is a socket, as Node's pipes are there, so `cat` is put in front. Windows has no `script`.
 */
export function onPseudoTerminal(
  words: readonly string[],
  columns: number,
  platform: NodeJS.Platform = process.platform,
): OnTerminal {
  if (platform === 'win32') return { whyNot: 'Windows has no program that gives a pseudo-terminal' }
  const command = `stty cols ${columns}; exec ${words.map(quoted).join(' ')}`
  if (platform === 'linux') return { program: 'script', args: ['-qec', command, '/dev/null'] }
  const behind = ['script', '-q', '/dev/null', '/bin/sh', '-c', command].map(quoted).join(' ')
  return { program: '/bin/sh', args: ['-c', `cat | ${behind}`] }
}

/** A word for `sh`, whatever is in it. */
const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`
