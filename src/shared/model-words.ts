/** What is said of a model file without a chat template: when it is added, on its card, and once in each chat with it. */
export const BASE_MODEL =
  'This looks like a base model: it continues texts and does not answer. Its file has no chat template. For chats take one that was made to follow instructions; its name often has “Instruct”, “Chat” or “it” in it.'
