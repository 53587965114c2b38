import { wordings, type Wordings } from '../wording.ts'
import type { Task } from './task.ts'

type Reply = { id: string; weight: number; answer: string; say: Wordings; fact?: string }

/** What is said for its own sake, with the one answer that there is to it. */
export const TALK: readonly Reply[] = [
  {
    id: 'greet',
    weight: 3,
    answer: 'Hello! What can I do for you?',
    say: wordings(`
      (hi|hello|hey|hiya|heya|howdy|yo|hey there|hello there|hi there|greetings)( talaria| there| you| again| my friend|)
      good (morning|evening|afternoon|day)( talaria| to you| again|)
      (hallo|guten tag|guten morgen|moin|servus|grüezi|hallo talaria)
      (bonjour|salut|bonsoir|coucou)( talaria|)
      (hola|buenos días|buenas tardes|buenas noches|¿qué tal)( talaria|)?
      (ciao|buongiorno|buonasera|salve)
      (olá|oi|bom dia|boa tarde)
      (hej|hei|moi|god morgon|hallå)
      (namaste|merhaba|salam|shalom|konnichiwa|ni hao|привет|你好|こんにちは|مرحبا|cześć|ahoj|zdravo)
      (what's up|whats up|sup|are you there|anybody there|is anyone here)?
      (nice to meet you|good to see you|i'm back|here i am|hello world)
      ---
      (morning|evening|g'day|hullo|well hello)( talaria|)
      (grüß gott|tag|na)
      (rebonjour|allo)
      (buenas|hola amigo)
      (szia|dobrý den|tere|labas|god dag)
      (how do you do|pleased to meet you|long time no see)`),
  },
  {
    id: 'how-are-you',
    weight: 1,
    answer: 'I am fine, thank you. What can I do for you?',
    say: wordings(`
      how are you( today| doing| feeling|)?
      how('s| is) it going( today|)?
      (how do you feel|are you ok|are you well|everything ok|all good)?
      how('s| is) your (day|week|morning)( going| so far|)?
      (are you|you) (feeling|doing) (well|good|fine|ok)( today| right now|)?
      (what are you|what have you been) (doing|up to)( today| right now|)?
      (did you|have you) (sleep well|had a good day|slept well)?
      (wie geht's|wie geht es dir|ça va|comment ça va|cómo estás|come stai|como vai)?
      ---
      (how are things|how have you been|what's new with you|in what mood are you)( these days|)?
      (feeling good|doing alright|in good shape)( today|)?`),
  },
  {
    id: 'thanks',
    weight: 1.6,
    answer: 'You are welcome.',
    say: wordings(`
      (thanks|thank you|thx|ty|many thanks|thanks a lot|thank you so much|thank you very much|cheers)( talaria| for your help| for that|)
      (great|perfect|good|nice|super|wonderful|excellent)(, |! | )(thanks|thank you|well done|job)
      (danke|danke schön|vielen dank|merci|merci beaucoup|gracias|muchas gracias|grazie|obrigado|tack|dziękuję)
      (that helped|that was helpful|you helped me|that's what i needed|just what i needed)(, thanks|, thank you|)
      (good job|well done|nice work|you're great|you are the best|i love it|awesome|cool)
      ---
      (much obliged|i owe you|appreciate it|i appreciate that)
      (brilliant|lovely|splendid), (thanks|cheers)
      (bedankt|kiitos|teşekkürler|arigato|спасибо)`),
  },
  {
    id: 'bye',
    weight: 1,
    answer: 'Goodbye! I will be here.',
    say: wordings(`
      (bye|goodbye|bye bye|see you|see you later|see you tomorrow|good night|cya|take care|so long)( talaria| then|)
      (i have to go|i'm leaving|i'm off|that's all|that's all for today|that is all|we are done|i'm done)( now|, bye|, thanks|)
      (tschüss|auf wiedersehen|au revoir|adiós|hasta luego|ciao ciao|arrivederci|tchau|hej då|gute nacht)
      (until|see you) (next time|tomorrow|{weekday}|next week|soon|then)
      (good|have a) (night|nice day|nice evening|good weekend)( talaria| then|)
      ---
      (farewell|later|catch you later|have a good one)( talaria|)
      (time to go|off to bed|signing off|that will be all)
      (do widzenia|sayonara|à bientôt)`),
  },
  {
    id: 'who-are-you',
    weight: 1.6,
    answer: 'I am Talaria’s small built-in model. I run on this computer, without the internet.',
    fact: 'built-in model',
    say: wordings(`
      (who|what) are you( exactly| really|)?
      (what is|what's) your name?
      (are you|you are) (a bot|a robot|an ai|a human|a person|chatgpt|a computer|real|alive|an assistant)( or what|)?
      (which|what) model (are you|is this|am i talking to|do you use)?
      (who|what) am i (talking|speaking) to?
      (introduce|describe) yourself
      (tell me|say something) about (yourself|you)
      (who|which company) (made|built|trained|created) you?
      (where do you|do you) (run|live|work)( on my computer| here| locally| in the cloud|)?
      (are you|do you work|do you run) (offline|online|locally|in the cloud|without internet)?
      (do you need|are you connected to|do you use) the (internet|cloud)?
      (how big|how smart|how old) are you?
      (is this|are you) (private|safe|free)?
      (is|does) (my data|what i say) (stay here|leave this computer|sent anywhere|private)?
      ---
      (with whom|with what) am i chatting?
      (got a|do you have a) name?
      (what kind of|which) (ai|program|thing) (are|would) you( be|)?
      (how were|were) you (trained|programmed)?
      (will|would) this work (on a plane|without wifi)?`),
  },
  {
    id: 'capabilities',
    weight: 3,
    answer:
      'I can remember facts, search earlier chats, work with files, run commands and use skills. For more, add a bigger model on the Models page.',
    fact: 'remember facts',
    say: wordings(`
      what can you do( for me| here|)?
      (what|which) (tools|functions|features|abilities|capabilities) do you have?
      (help|help me|help please|i need help|how does this work|how do i use this|how do you work)
      (what|how) (can|could) you help (me |)(with|)?
      (tell me|show me|list|explain) what you can do
      (what are|what's) you(r abilities| able to do| good at)?
      (what|which) (things|tasks|jobs) can you do?
      (what|which) (tools|commands) (are there|can you use|are available)?
      (what should i|what can i) (ask|ask you|say|try)?
      (give me|show me) (an example|some examples|a demo|a tour)
      (where do i start|how do i start|i'm new here|what now|what is this)?
      (can you|are you able to) (do anything|do something|help me|do things)?
      (what is|what's) (talaria|this app|this program)( for|)?
      ---
      (what are you capable of|what's in your power|what do you offer|what are your powers)?
      (in what way|how) (are you|could you be) (useful|of use)?
      (i don't know what to do|any suggestions what to try|what's possible here)?
      (list|name) your (skills and tools|talents|tricks)
      (what is|what would be) a good first (question|thing to try)?`),
  },
  {
    id: 'fleeting',
    weight: 1.6,
    answer: 'I see. Tell me when I can do something for you.',
    say: wordings(`
      (i'm|i am) (tired|bored|hungry|late|busy|sad|happy|sick|stressed|in a hurry|back)( today| right now| again| at the moment|)
      (it's|it is|what) (a nice day|raining|cold|hot|late|a long day|monday again)( today|)
      (i had|i'm having) (a bad|a good|a long|a terrible|a great) (day|week|morning|lunch)( today|)
      (just testing|this is a test|testing|test|ok|okay|hm|hmm|never mind|nothing|lol|haha|wow|oh|yes|no|maybe|sure|fine)
      (wait|hold on|one moment|give me a minute|let me think|i'll be right back|brb)
      (i don't know|i'm not sure|i have no idea|whatever|it doesn't matter|forget it|no problem|all right)
      (my head hurts|i need a break|i need coffee|i have to work|i overslept|the meeting was long)( today| right now|)
      ---
      (so much to do|what a day|i can't sleep|i feel great)( right now| today|)
      (er|um|well|nah|meh|cool story|i guess so)
      (lunch was good|the bus was late|i'm waiting for a call)`),
  },
]

export const smallTalk: readonly Task[] = TALK.map(({ id, weight, answer, say, fact }) => ({
  id,
  weight,
  async run(talk) {
    talk.ask(talk.word(say, {}, { head: 0.05, tail: 0.02 }))
    talk.answer(answer, fact === undefined ? { kind: 'text' } : { kind: 'fact', facts: [fact] })
  },
}))
