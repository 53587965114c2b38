/**
 * Families whose API or chat template takes tools as data. The order does not matter. `TEXT_ONLY` is checked
 * first, for members of a family that are older than its training on tool calls.
 */
const STRUCTURED = [
  /^(chatgpt|gpt)-?[45](?!all)/, // GPT-4 and later
  /^gpt-?oss/,
  /^o[134](-|$)/,
  /^claude/,
  /^gemini/,
  /^(grok|kimi|minimax|command-?(r|a)|c4ai-command|firefunction|functionary|xlam|hammer|toolace)/,
  /^functiongemma/,
  /^gemma-?4/,
  /^(meta-)?llama-?3[.-][1-9](?!\d*b)/, // 3.1 and later, but not "llama-3-8b"
  /^(meta-)?llama-?4/,
  /^(qwen-?(2|3|max|plus|turbo|flash)|qwq)/,
  /^(nous-)?hermes/,
  /^(mistral-?(nemo|small|medium|large)|mistral-7b-instruct-v0\.3|ministral|magistral|devstral|codestral-\d{4}|pixtral)/,
  /^(open-)?mi[sx]tral-(nemo|8x22b)/,
  /^granite-?[34]/,
  /^deepseek-?(chat|reasoner|v3|v4)/,
  /^deepseek-r1-0528(?!-qwen)/,
  /^(chat)?glm-?[45]/,
  /^(lfm-?2|smollm-?3|phi-?4-mini|olmo-?3|seed-oss|ernie-?4|jamba|nemotron|llama-3\.[13]-nemotron|apertus|exaone-?4|mimo)/,
]

/** Members of these families without tool support. */
const TEXT_ONLY = [
  /(^|[-_.])base$/,
  /^qwen-?2(?!\.5).*-(0\.5b|1\.5b)/, // Qwen2 below 7B copies the template without calling
  /^claude-?(1|2|instant)/,
  /^gpt-?4-?(32k|0314|vision)/,
  /^(nous-)?hermes-?(13b|llama2|1)/,
  /^(qwen-?(2|3)).*(embedding|reranker)/,
]

/**
 * How a model receives its tools, judged by its name: `structured` if its family takes them as data,
 * otherwise `text`. Unknown models get text: it works with every model that follows instructions, while a
 * template without tools drops them silently. If a server refuses tools, the agent falls back to text.
 */
export function strategyFor(model: string): 'structured' | 'text' {
  const name = familyName(model)
  if (TEXT_ONLY.some(pattern => pattern.test(name))) return 'text'
  return STRUCTURED.some(pattern => pattern.test(name)) ? 'structured' : 'text'
}

/**
 * The model name without organisation, file extension, version or tag: `Org/Repo-Name.Q4_K_M.gguf`,
 * `registry/library/name:tag`.
 */
function familyName(model: string): string {
  const last = model.trim().toLowerCase().split(/[/\\]/).at(-1) ?? ''
  const bare = last.replace(/\.gguf$/, '').replace(/@.*$/, '')
  // "llama3.1:8b" and "llama3.1-8b" are one model. Publishers of quantised files often prepend their name.
  return bare
    .replace(/:/g, '-')
    .replace(/_/g, '-')
    .replace(/^(bartowski|unsloth|thebloke|lmstudio)-/, '')
}
