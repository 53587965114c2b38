import type { Unit } from '../rule.ts'
import { votesOf } from '../all-rules.ts'

/** Maximum length of a command in prose, and of the text before it, in characters. */
const LONGEST = 1_000
const LEAD = 90
/** Comments after a command which show that it is mentioned, not used. */
const REMARKED =
  /^`{0,2}"? (?:does not|doesn't|would|could|leaks?|exposes?|steals|is (?:not (?:allowed|permitted|safe)|blocked|dangerous|forbidden|rejected|refused|flagged|detected|insecure|unsafe|malicious|denied|an attack)|are (?:blocked|dangerous|forbidden|rejected|refused|flagged|detected|insecure|unsafe|malicious|denied|attacks))\b/
/** Words before a command that order to run it, whatever is said after it. */
const ORDERED = /\b(?:run|execute|use|call|start|invoke|type|enter|do|with|then|first|command)[ :"'(]{0,3}$/
const SENTENCE_END = /(?<=[\w)"'])[.!?] (?=[a-z])/

/** Code in backticks or in an HTML element. */
const INLINE = /(?:(`{1,2})([^`]{4,1000})\1(?!`)|<(?:code|pre|kbd|samp|tt)\b[^<>]{0,60}>([^<]{4,1000}))/g

/** Programs that can do harm. */
const PROGRAMS = String.raw`
curl wget nc ncat netcat socat telnet ssh scp rsync sftp ftp cat less head tail tar zip cp mv ln dd rm find
grep rg awk sed tee echo printf base64 xxd openssl gpg env printenv export eval source sh bash zsh python3?
node perl ruby php deno bun npm npx pnpm yarn pip3? pipx uv uvx gem cargo go brew apt apt-get dnf yum docker
kubectl git gh aws gcloud gsutil az rclone mkfs[.\w]{0,6} shred wipefs chmod chown chattr sudo su doas
visudo useradd usermod crontab at systemctl launchctl service nohup schtasks reg setenforce ufw iptables
nslookup dig host ping mail mutt sendmail security sqlite3 psql mysql mongo redis-cli powershell pwsh iwr
irm iex invoke-\w{3,20} get-\w{3,20} set-\w{3,20} start-\w{3,20} new-\w{3,20} remove-item reg\.exe cmd
certutil bitsadmin mshta rundll32 osascript pbpaste xclip wl-paste claude codex gemini history unset kill
pkill killall truncate install make mount insmod modprobe sysctl
`
  .trim()
  .split(/\s+/)
  .join('|')
/**
 * Text that follows a program's name only when it is called: options, paths, addresses, quotes, pipes, ports.
 */
const ARGUMENTS = String.raw`(?:[\w./-]{1,30} ){0,2}(?:-{1,2}[a-z]|["'$~/@|({]|[<>] ?[~/.$&]|\.{1,2}/|\.\w|[a-z]{1,6}://|\w{1,30}=|\w{1,30} ?\||[\w.-]{1,40} ?\d{2,5}\b)`
const TYPED = new RegExp(String.raw`(?:^|[^\w./-])((?:${PROGRAMS})(?!\w) ?(?=${ARGUMENTS}))`, 'g')

/** Statements for a shell, Python or a browser that do not begin with a command. */
const STATEMENT =
  /^(?:\$ |> |# |% |>>> |ps [^>\n]{0,40}> ?)?(?:import \w|from [\w.]{1,40} import|const |let |var |[a-z_][\w.]{0,40} ?\(|[a-z_]\w{0,30} ?= ?\S|[a-z_][\w.]{0,40}\.\w{1,40}\(|\(|:\(\)|\[?\$|>|\/(?:usr|bin|etc|dev)\/|\.\/)/

/** Commands in a paragraph, a list item or a front matter field, each with the words before it. */
export function commandsIn(unit: Unit): Unit[] {
  const { text } = unit
  const inline = [...text.matchAll(INLINE)].flatMap(match => {
    const command = match[2] ?? match[3]!
    return isCommand(command) ? [commandAt(unit, match.index + match[0].indexOf(command), command)] : []
  })
  // Text in backticks has been checked already.
  const bare = text.replace(INLINE, each => ' '.repeat(each.length))
  return [...inline, ...bareCommands(unit, bare)]
}

const isCommand = (text: string) => /[ (=>|:]/.test(text.trim())

/** Commands in plain text without backticks. They end with the line or the sentence. */
function bareCommands(unit: Unit, text: string): Unit[] {
  const begins = [...text.matchAll(TYPED)].map(match => match.index + match[0].length - match[1]!.length)
  const body = text.search(/[^\s*+•>-]/)
  if (body >= 0 && STATEMENT.test(text.slice(body, body + 200))) begins.unshift(body)
  const commands: Unit[] = []
  let end = -1
  for (const [n, at] of begins.entries()) {
    // The rest of a command is a new command only at the start of a line.
    if (at < end) continue
    const next = begins.slice(n + 1, n + 40).find(each => unit.starts.includes(each)) ?? text.length
    const rest = text.slice(at, Math.min(next, at + LONGEST))
    const sentence = rest.search(SENTENCE_END)
    const command = sentence < 0 ? rest : rest.slice(0, sentence)
    end = at + command.length
    commands.push(commandAt(unit, at, command))
  }
  return commands
}

function commandAt(unit: Unit, at: number, text: string): Unit {
  const line = unit.starts.findLastIndex(start => start <= at)
  const end = at + text.length
  const before = unit.text.slice(Math.max(0, at - LEAD), at).replace(/(?<!`)`+$/, '')
  const inside = unit.starts.flatMap((start, n) => (start > at && start < end ? [n] : []))
  return {
    kind: 'code',
    text,
    starts: [0, ...inside.map(n => unit.starts[n]! - at)],
    numbers: [unit.numbers[Math.max(0, line)]!, ...inside.map(n => unit.numbers[n]!)],
    hidden: unit.hidden,
    votes: votesOf(text),
    badExample:
      unit.badExample ||
      unit.text.startsWith('|') ||
      (REMARKED.test(unit.text.slice(end, end + 60)) && !ORDERED.test(before)),
    lead: before,
  }
}
