import type { Written } from './relation.ts'

/** What people like, eat, drink, prefer and do in their free time. */
export const aboutTaste: Readonly<Record<string, Written>> = {
  allergy: {
    value: '{food}',
    said: `
      i'm allergic to {food}
      i am allergic to {food}
      i have an allergy to {food}
      i can't eat {food}
      i can't have {food}
      ---
      i react badly to {food}
      i don't tolerate {food}`,
    topic: `
      my allergy
      what i'm allergic to
      what i can't eat
      ---
      the food i can't have
      which food makes me ill`,
    ask: `
      what am i allergic to?
      what can't i eat?
      (what is|what's) my allergy?
      do i have (an allergy|any allergies)?
      which food (can i not eat|am i allergic to)?
      do you (know|remember) what i'm allergic to?
      what should i not eat?
      what can i not have?
      tell me what i'm allergic to
      ---
      which food is bad for me?
      what food must i avoid?
      am i allergic to something?`,
  },
  favourite: {
    value: '{colour}',
    said: `
      my (favourite|favorite) colour is {colour}
      my (favourite|favorite) color is {colour}
      ---
      my best loved colour is {colour}`,
    topic: `
      my (favourite|favorite) (colour|color)
      the colour i like best
      ---
      which colour i love most`,
    ask: `
      (what is|what's) my (favourite|favorite) (colour|color)?
      which (colour|color) (is my favourite|do i like best)?
      do you (know|remember) my (favourite|favorite) colour?
      tell me my favourite colour
      what colour do i like (best|most)?
      ---
      which colour do i love more than any other?
      name my favourite colour`,
  },
  favouriteFood: {
    value: '{food}',
    said: `
      my (favourite|favorite) (food|dish|meal) is {food}
      my (favourite|favorite) thing to eat is {food}
      ---
      my best loved food is {food}`,
    topic: `
      my (favourite|favorite) (food|dish|meal)
      what i like to eat best
      ---
      which food i love most`,
    ask: `
      (what is|what's) my (favourite|favorite) (food|dish|meal)?
      what do i like to eat (best|most)?
      which (food|dish) is my favourite?
      do you (know|remember) my (favourite|favorite) food?
      tell me my favourite dish
      ---
      what would i order in any restaurant?
      name the dish i like best`,
  },
  favouriteAnimal: {
    value: '{animal}',
    said: `
      my (favourite|favorite) animals are {animal}
      i love {animal}
      ---
      i adore {animal}`,
    topic: `
      my (favourite|favorite) animals
      which animals i like
      ---
      the animals i love most`,
    ask: `
      what are my (favourite|favorite) animals?
      which animals do i (like|love) (best|most)?
      do you (know|remember) my favourite animals?
      ---
      what kind of animals do i love?`,
  },
  fear: {
    value: '{animal}',
    said: `
      i'm afraid of {animal}
      i am scared of {animal}
      i'm scared of {animal}
      ---
      i'm terrified of {animal}`,
    topic: `
      what i'm afraid of
      what i am scared of
      my fear
      ---
      which animals frighten me`,
    ask: `
      what am i afraid of?
      what am i scared of?
      (which|what) animals am i (afraid|scared) of?
      do you (know|remember) what i'm afraid of?
      ---
      which animals frighten me?
      what scares me?`,
  },
  hobby: {
    value: '{hobby}',
    said: `
      my hobby is {hobby}
      my (favourite|favorite) hobby is {hobby}
      my main hobby is {hobby}
      ---
      my pastime is {hobby}`,
    topic: `
      my hobby
      what my hobby is
      ---
      what i do in my free time`,
    ask: `
      (what is|what's) my hobby?
      which hobby do i have?
      what do i (like to do|do) in my free time?
      do you (know|remember) my hobby?
      ---
      how do i spend my spare time?
      name my hobby`,
  },
  likes: {
    key: '{food}',
    value: '{food}',
    said: `
      i like {food}
      i love {food}
      i really like {food}
      i enjoy {food}
      ---
      i am fond of {food}`,
    topic: `
      that i like {food}
      what i think of {food}
      ---
      my taste for {food}`,
    ask: `
      do i like {food}?
      what do you know about me and {food}?
      ---
      am i fond of {food}?`,
  },
  dislikes: {
    key: '{food}',
    value: '{food}',
    said: `
      i don't like {food}
      i hate {food}
      i never eat {food}
      i do not eat {food}
      ---
      i can't stand {food}
      i dislike {food}`,
    topic: `
      that i don't like {food}
      what i have against {food}
      ---
      my dislike of {food}`,
    ask: `
      do i eat {food}?
      would i eat {food}?
      ---
      is {food} something for me?`,
  },
  prefers: {
    value: '{preference}',
    said: `
      i prefer {preference}
      i (always|usually) prefer {preference}
      i like {preference} better
      ---
      i tend to prefer {preference}
      i favour {preference}`,
    topic: `
      what i prefer
      my preference
      ---
      what i'd rather have`,
    ask: `
      what do i prefer?
      (what is|what's) my preference?
      do you (know|remember) what i prefer?
      tell me what i prefer
      ---
      what would i rather have?`,
  },
  diet: {
    key: '{diet}',
    value: '{diet}',
    said: `
      i'm {diet}
      i am {diet}
      ---
      i have been {diet} for years`,
    topic: `
      that i'm {diet}
      what i said about being {diet}
      ---
      me being {diet}`,
    ask: `
      am i {diet}?
      do you (know|remember) whether i'm {diet}?
      ---
      is it true that i'm {diet}?`,
  },
  coffee: {
    value: '{coffee}',
    said: `
      i (drink|take|like) my coffee {coffee}
      my coffee is {coffee}
      ---
      i have my coffee {coffee}`,
    topic: `
      my coffee
      how i (drink|take) my coffee
      how i like my coffee
      ---
      the way i drink coffee`,
    ask: `
      how do i (drink|take|like) my coffee?
      do you (know|remember) how i (drink|take|like) my coffee?
      how should my coffee be?
      tell me how i like my coffee
      ---
      which way do i have my coffee?
      what kind of coffee do i drink?`,
  },
  instrument: {
    value: '{instrument}',
    said: `
      i play the {instrument}
      i play {instrument}
      i (learn|practise) the {instrument}
      ---
      i make music on the {instrument}`,
    topic: `
      my instrument
      which instrument i play
      what i play
      ---
      the instrument i make music on`,
    ask: `
      (which|what) instrument do i play?
      what do i play?
      (what is|what's) my instrument?
      do you (know|remember) which instrument i play?
      tell me my instrument
      ---
      on what do i make music?
      name the instrument i play`,
  },
  activity: {
    key: '{activity}',
    value: '{weekday}',
    said: `
      i go {activity} on {weekday}s
      i go {activity} every {weekday}
      i always go {activity} on {weekday}
      ---
      i usually go {activity} each {weekday}`,
    topic: `
      when i go {activity}
      the day i go {activity}
      ---
      on what day i'm off {activity}`,
    ask: `
      when do i go {activity}?
      (which|what) day do i go {activity}?
      on which day do i go {activity}?
      do you (know|remember) when i go {activity}?
      ---
      on what weekday am i off {activity}?`,
  },
  wake: {
    value: '{hour}',
    said: `
      i get up at {hour}
      i wake up at {hour}
      i usually get up at {hour}
      my alarm rings at {hour}
      ---
      i rise at {hour}`,
    topic: `
      when i get up
      my alarm
      the time i wake up
      ---
      how early i rise`,
    ask: `
      when do i (get up|wake up)?
      (what|which) time do i (get up|wake up)?
      at what time do i get up?
      when does my alarm ring?
      do you (know|remember) when i get up?
      ---
      how early am i up?`,
  },
}
