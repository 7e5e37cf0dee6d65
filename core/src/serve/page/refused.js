// What a page shows of an answer that the server did not take.
import { say } from './texts.js';

export const showRefusal = ({ status, said }, { setProblems, setNotice, askAgain }) => {
  if (status === 422) {
    setProblems(said?.problems ?? []);
    setNotice({ alert: true, text: say('question.problems') });
  } else if (status === 409) {
    setNotice({ alert: true, text: say('question.stale') });
    askAgain();
  } else {
    setNotice({ alert: true, text: said?.error ? say('failed', { problem: said.error })
                                               : say('failed.again') });
  }
};
