// The answer to what waits for a person, where another person or the time may have been first.
// @ts-check
import { useState } from 'preact/hooks';
import { ApiFailure } from './api.js';

const settledCodes = ['REQUEST_SETTLED', 'APPROVAL_SETTLED', 'DELIVERY_SETTLED'];

/**
 * `settle` waits for an answer and reads the list again; when something else was decided before, `notice` says what. Any other failure is
 * thrown.
 * @param {() => Promise<unknown>} reload
 */
export function useSettle(reload) {
  const [notice, setNotice] = useState('');
  const settle = async (/** @type {Promise<unknown>} */ answer) => {
    setNotice('');
    try {
      await answer;
    } catch (error) {
      if (!(error instanceof ApiFailure) || !settledCodes.includes(error.code)) throw error;
      setNotice(error.message);
    }
    await reload();
  };
  return { notice, setNotice, settle };
}
