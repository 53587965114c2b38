/** The frame in which scripts inside other programs put what they give of the memory before a model. */
const OWN_FRAME = 'talaria_memory'

/** The frame with what is in it; one without an end, which was cut, reaches to the end of the text. */
const FRAMED = new RegExp(`<${OWN_FRAME}\\b[^>]{0,200}>[\\s\\S]*?(?:</${OWN_FRAME}\\s{0,20}>|$)`, 'gi')

/** A text without what we ourselves put before the model: what is learned must be the user's, not our own echo. */
export const withoutOwnText = (text: string): string =>
  text.includes('<') ? text.replaceAll(FRAMED, '') : text

/**
 * Whether a tool is one of our MCP server, as other programs call it: `mcp__talaria__memory_search`,
 * `mcp__plugin_talaria_talaria__skill_list`, `talaria_memory_search`.
 */
export const isOwnTool = (name: string): boolean =>
  /(?:^|[^A-Za-z0-9])talaria(?:__?|[.:/-])[A-Za-z]/i.test(name)
