// A corpus of Markdown files without speakers or dates, made the same each time, with questions whose passage is known. Not anyone's documents.

export interface GeneratedSection {
  id: string;
  heading: string;
  body: string;
}

export interface Generated {
  files: { name: string; text: string; sections: GeneratedSection[] }[];
  questions: { question: string; category: string; evidence: string[] }[];
}

const subjects = [
  'billing service', 'search cluster', 'north warehouse', 'mobile client', 'press room', 'payroll system', 'visitor access admin', 'image server',
  'mail relay', 'training library', 'test bench', 'delivery fleet', 'chat gateway', 'data lake', 'cold storage', 'printing shop',
  'help center', 'sign-in service', 'metering network', 'solar farm', 'archive vault', 'robot line', 'order book', 'coffee kitchen',
]; // biome-ignore format: a list of words

interface Topic {
  heading: string;
  /** `S` is the subject, `N` a number, `O` another subject. */
  text: string;
  /** In the words of the text, and in other words. */
  asked: readonly [string, string];
}

const topics: readonly Topic[] = [
  {
    heading: 'Backups',
    text: 'Copies of the S are taken every night and stored for N days. A restore is rehearsed each quarter. The O retains its own copies.',
    asked: ['How many days are copies of the S stored?', 'What is the retention of backups for the S?'],
  },
  {
    heading: 'On call',
    text: 'One engineer answers the pager of the S for N days at a time. Escalations go to the lead of the O when nobody reacts.',
    asked: [
      'Who answers the pager of the S?',
      'What happens when the on-call person for the S does not respond?',
    ],
  },
  {
    heading: 'Limits',
    text: 'The S accepts at most N requests a minute from one client. More are refused with an error that says when to retry.',
    asked: ['How many requests a minute does the S accept?', 'What is the rate limit of the S?'],
  },
  {
    heading: 'Access',
    text: 'Badges for the S are issued by the office manager and expire after N months. Guests are accompanied at all times, as in the O.',
    asked: ['After how many months do badges for the S expire?', 'Who gives out access cards to the S?'],
  },
  {
    heading: 'Cost',
    text: 'Running the S costs N thousand a year, most of it for power. The budget is reviewed in spring together with the O.',
    asked: ['What does running the S cost a year?', 'When is the budget for the S looked at again?'],
  },
  {
    heading: 'Upgrades',
    text: 'New versions of the S are rolled out on Tuesdays to N percent first. The roll-out stops on its own when errors rise.',
    asked: [
      'On which day are new versions of the S rolled out?',
      'How is an upgrade of the S deployed safely?',
    ],
  },
  {
    heading: 'History',
    text: 'The S was built N years ago by a team that had run the O before. Its first name was Project N.',
    asked: ['How many years ago was the S built?', 'Which team built the S?'],
  },
  {
    heading: 'Alarms',
    text: 'An alarm rings when the S stays silent for N seconds. False alarms are written down so that the bound can be moved.',
    asked: ['When does an alarm ring for the S?', 'What is done about false alerts of the S?'],
  },
  {
    heading: 'Suppliers',
    text: 'Spare parts of the S come from two suppliers within N hours. The contract names the O as a second customer.',
    asked: [
      'Within how many hours do spare parts of the S come?',
      'Where do replacements for the S come from?',
    ],
  },
  {
    heading: 'Cleaning',
    text: 'Dust is the enemy of the S: filters are changed every N weeks and the floor is swept daily. Ask before moving cables.',
    asked: ['How often are filters of the S changed?', 'Which maintenance does the S need against dirt?'],
  },
]; // each subject has each topic once, so that neither names a passage alone

/** The corpus and its questions; every call gives the same. */
export function generateDocuments(): Generated {
  let state = 20_261_121;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const other = (subject: string): string => {
    const found = subjects[next(subjects.length)] ?? subject;
    return found === subject ? 'main office' : found;
  };
  const questions: Generated['questions'] = [];
  const files = subjects.map((subject, number) => {
    const sections = topics.map((topic, index): GeneratedSection => {
      const id = `${number + 1}.${index + 1}`;
      const body = topic.text.replaceAll(/\b[SNO]\b/g, (letter) => {
        if (letter === 'S') return subject;
        return letter === 'N' ? String(2 + next(90)) : other(subject);
      });
      for (const [kind, asked] of topic.asked.entries()) {
        const question = asked.replaceAll(/\bS\b/g, subject);
        questions.push({ question, category: kind === 0 ? 'same words' : 'other words', evidence: [id] });
      }
      return { id, heading: `${topic.heading} (section ${id})`, body };
    });
    const text = sections.map(({ heading, body }) => `## ${heading}\n\n${body}\n`).join('\n');
    return {
      name: `${subject.replaceAll(' ', '-')}.md`,
      text: `# Handbook of the ${subject}\n\n${text}`,
      sections,
    };
  });
  return { files, questions };
}
