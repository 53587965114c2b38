/** What stands between two requests of one message. */
const THEN =
  /(?:[,;.]|(?<!\s))\s+(?:(?:and|&)\s+)?(?:then|after that|afterwards|next),?\s+|[;.]\s+(?:also|finally),?\s+/i
/** “… and write …”: a second verb of those that begin a request. */
const AND =
  /(?:,|(?<!\s))\s+and\s+(?:also\s+)?(?=(?:read|open|list|show|find|search|write|create|make|save|add|append|put|replace|change|run|execute|remember|note|delete|remove)\s+\S)/i
/** What stands in quotes is not looked into. */
const QUOTED = /`[^`]*`|"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|(?<![\p{L}\p{N}])['‘][^'’]*['’](?![\p{L}\p{N}])/gu
/** Fewer letters are no request. */
const SHORTEST = 3

/** The two parts of “read a, then write b”; undefined for a message that asks for one thing. */
export function splitRequest(request: string): { first: string; rest: string } | undefined {
  const text = request.trim()
  const masked = text.replace(QUOTED, quoted => '_'.repeat(quoted.length))
  const found = THEN.exec(masked) ?? AND.exec(masked)
  if (!found) return undefined
  const first = text.slice(0, found.index).replace(/^first,?\s+/i, '')
  const rest = text.slice(found.index + found[0].length).trim()
  return first.length < SHORTEST || rest.length < SHORTEST ? undefined : { first, rest }
}
