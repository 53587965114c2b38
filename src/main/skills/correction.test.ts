import { expect, test } from 'vitest'
import { isCorrection } from './correction.ts'

const lines = (text: string) => text.trim().split('\n')

const CORRECTIONS = lines(`
No, I meant the other file.
no, not that one
No. That's wrong, the invoice is from March.
that's wrong
That's not right, the total should be 412.
This is still wrong!
It's incorrect.
Not like that.
not what I asked for
I meant the second paragraph, not the first
Sorry, I meant 2025
You forgot the header row.
Thanks, but you forgot to include the discussions too
Looks good, but you missed two of the files.
You deleted the wrong folder!
You didn't follow the style of the other commits
I said in German, not in English
I wanted it in a table
I didn't ask you to rename anything
that didn't work
Wrong file.
Use tabs instead.
Please put it in the notes folder instead
Actually, it should be sorted by date, not by name
Nope, still wrong
That's still not it.
You should have asked me first.
You mixed up the two columns.
Wrong, it's 12.
Undo that.
Next time, please ask before you delete something
Stop using emojis in my files
Hmm, the date is wrong.
Nein, ich meinte die andere Datei
Das ist falsch.
Das stimmt so nicht, der Betrag war 40 Euro
So nicht!
Du hast die Überschrift vergessen.
Nicht auf Deutsch, sondern auf Englisch bitte
Nimm stattdessen bitte die Liste vom Mai lieber
Non, je voulais la version courte
C'est faux, il y en a douze
Tu as oublié les annexes
No, eso no es lo que pedí
Te olvidaste de la fecha
Está mal, son tres
No, intendevo la seconda cartella
Hai dimenticato il titolo
Não, eu quis dizer a outra pasta
Isso está errado
Você esqueceu a assinatura
`)

const ORDINARY = lines(`
Thanks, that's perfect!
Great. Now do the same for April.
No, thanks.
No, that's all for today.
No problem, take your time.
no worries
No, not yet.
No, you can leave it as it is.
No need to change anything.
No idea, what do you think?
Yes please
ok
And what about the other file?
Can you make it shorter?
What is wrong with this code?
Is this wrong?
Why is the sky not green?
If something is wrong, tell me.
Now translate it into French.
Read notes.md and tell me what is missing.
Make a list of the things I forgot last week.
You forgot my birthday, haha, just kidding
You are great!
You didn't have to do that, thank you!
You haven't met my dog yet.
I wanted to ask you something about taxes.
I wanted to know how photosynthesis works
I meant to ask: can you read PDFs?
I said hello to my neighbour and he looked away. Why?
I told you about my dog. His name is Rex.
I asked my boss for a raise. How should I follow up?
I didn't know that!
I didn't sleep well. Any tips?
It's wrong to lie, isn't it?
It should be sunny tomorrow. What should I wear?
That should be enough, thanks.
It should be fine.
That's not bad at all!
That's right.
That's not a problem.
This isn't urgent.
Not bad!
Not sure, maybe Tuesday?
Not now, later.
Actually, I have another question.
Actually, can you also add the totals?
Actually it's going well, thanks.
Next time I visit Rome, what should I see?
Instead of a list, what other formats are there?
What can I use instead of butter?
How do I use rice instead of pasta?
Write a program that uses a map instead of an array.
Write a story in which the boss says "you forgot the report".
My mother said: "That's wrong." How should I answer her?
Translate "No, I meant the other one" into Spanish.
Explain what "wrong number" means.
Wrong number of arguments, what does this error mean?
My printer doesn't work.
The build fails with exit code 1.
I get an error in line 3. What does it mean?
There is a mistake in my contract. What can I do?
The doctor says the diagnosis is wrong. What now?
Don't worry about it.
Don't forget the milk
Do it.
Use the terminal to list the files.
Use Python for this.
Stop.
Stop the server and start it again.
Try again.
Again, please.
Go on.
Continue with the next chapter
Summarise this page for me.
How many words does it have?
Save it as report.md
Rename the file to final.md
Remember that I live in Lisbon.
What did we talk about yesterday?
Who was right, Newton or Leibniz?
Should I have used a different approach?
Could you check whether the numbers are right?
Check whether the date is wrong?
Please also include the discussions.
Add a column for the price.
And now in a table, please.
The other one is for my sister.
The second one looks best to me.
I like the first version better, let's go on with it.
Let's keep it like that.
Like this?
It works now, thank you.
That worked!
You should have seen his face!
You missed me?
No, it's not important.
No, the meeting was yesterday. Can you move it to Monday?
You should have a look at chapter 3.
You missed a great concert!
You forgot something?
I wanted it to be a surprise party, any ideas?
I said yes to the job, not sure whether I should have. Advice?
I meant well but she got angry.
Make me a sandwich instead, haha.
This is the wrong time to buy a house, I think.
That's wrong of him.
Danke, das passt so.
Ich meinte es nicht böse, wie entschuldige ich mich?
Nicht nur Äpfel, sondern auch Birnen gehören auf die Liste.
Das geht nicht.
Pas mal, mais peux-tu ajouter un titre ?
Te pedí un favor ayer, ¿lo hiciste?
Hai capito male? No, spiega ancora.
Nein danke.
Nein, das ist alles.
Nein, noch nicht.
Nein, nicht nötig.
Das ist nicht schlimm.
Nicht schlecht!
Kannst du das auch auf Deutsch schreiben?
Was ist falsch an diesem Satz?
Ich wollte fragen, ob du PDFs lesen kannst.
Ich habe vergessen, wie das heißt.
Was kann ich stattdessen essen?
Du hast recht.
Du hast mir sehr geholfen, danke!
Mach weiter.
Non merci.
Non, pas encore.
C'est parfait, merci !
Ce n'est pas grave.
J'ai oublié mon mot de passe.
Qu'est-ce qui est faux dans cette phrase ?
No, gracias.
No es necesario.
¿Qué está mal en esta frase?
Está bien, sigue.
No hay problema.
No, grazie.
Non è urgente.
Ho dimenticato la password.
Va bene così.
Não, obrigado.
Não é preciso.
Esqueci a minha senha.
Está certo, continue.
`)

test('typical corrections by users are recognised', () => {
  expect(CORRECTIONS.length).toBeGreaterThanOrEqual(40)
  expect(CORRECTIONS.filter(text => !isCorrection(text))).toEqual([])
})

test('ordinary messages are not corrections', () => {
  expect(ORDINARY.length).toBeGreaterThanOrEqual(120)
  expect(ORDINARY.filter(isCorrection)).toEqual([])
})

test('quoted or pasted text further down does not count', () => {
  expect(
    isCorrection(`Please translate this letter.\n\n${'A long story. '.repeat(40)}You forgot the stamp.`),
  ).toBe(false)
  expect(isCorrection('“That’s wrong” is what she said.')).toBe(false)
  expect(isCorrection('“Three” is wrong? No idea.')).toBe(false)
  expect(isCorrection('')).toBe(false)
})
