//! What a parent and its child say to each other: JSON in frames, so that neither takes the other's damage, or a driver's
//! chatter, for words.

use super::{
    super::{
        digest::Digest,
        frame::{Magic, Reader, put_frame, put_head},
        key::ProgramKey,
        rejection::Rejection,
        source::ProgramSource,
    },
    trial::Trial,
    verdict::ProbeStep,
};
use crate::{device::Device, program::DeviceIdentity};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

const QUESTION: &Magic = b"WINDROWQ";
const ANSWER: &Magic = b"WINDROWA";

/// What a child is to try.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::program) struct Question {
    /// The kernel's name, for messages.
    pub kernel: String,
    pub source: String,
    pub options: String,
    /// The place of the device's platform, and the device's place there.
    pub device: (usize, usize),
    pub identity: DeviceIdentity,
    /// How its entry points are launched; none: nobody knows.
    pub trial: Option<Trial>,
}

/// What a child tells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Answer {
    /// What it is about to do.
    Step(ProbeStep),
    /// All is done: entry points that were launched.
    Done(u32),
    /// The compiler refused the program, as it may.
    Refused,
    /// A call failed.
    Failed(String),
    /// The device isn't the one that was asked for.
    Elsewhere(String),
}

/// An answer, with the digest of what was asked.
#[derive(Serialize, Deserialize)]
struct Answered {
    question: Digest,
    answer: Answer,
}

impl Question {
    pub fn new(source: &ProgramSource, key: &ProgramKey, device: &Device) -> Self {
        Self {
            kernel: source.name.to_string(),
            source: source.text.to_string(),
            options: key.options.clone(),
            device: (device.platform_index, device.device_index),
            identity: key.device.clone(),
            trial: source.trial.clone(),
        }
    }

    pub fn encode(&self) -> Vec<u8> {
        framed(QUESTION, self)
    }

    /// The question in these bytes, which may be any.
    pub fn decode(bytes: &[u8]) -> Result<Self, Rejection> {
        let mut reader = Reader::new(bytes);
        let question = unframed(QUESTION, &mut reader)?;
        if reader.rest().is_empty() { Ok(question) } else { Err(Rejection::Malformed) }
    }
}

impl Answer {
    /// The answer to a question of this digest, as bytes.
    pub fn encode(self, question: Digest) -> Vec<u8> {
        framed(ANSWER, &Answered { question, answer: self })
    }

    /// Every answer to a question of this digest in what a child printed: drivers print things too.
    pub fn all(mut printed: &[u8], question: Digest) -> Vec<Self> {
        let mut answers = Vec::new();
        while let Some(at) = printed.windows(ANSWER.len()).position(|bytes| bytes == ANSWER) {
            let mut reader = Reader::new(&printed[at..]);
            match unframed::<Answered>(ANSWER, &mut reader) {
                Ok(answered) => {
                    answers.extend((answered.question == question).then_some(answered.answer));
                    printed = reader.rest();
                }
                Err(_) => printed = &printed[at + 1..],
            }
        }
        answers
    }
}

/// A value as a head and one frame.
pub(super) fn framed(magic: &Magic, value: &impl Serialize) -> Vec<u8> {
    let mut bytes = Vec::new();
    put_head(&mut bytes, magic);
    // Texts, numbers and lists have a JSON form, always; none would be read as malformed.
    put_frame(&mut bytes, &serde_json::to_vec(value).unwrap_or_default());
    bytes
}

/// The value of a head and a frame.
pub(super) fn unframed<T: DeserializeOwned>(magic: &Magic, reader: &mut Reader<'_>) -> Result<T, Rejection> {
    reader.head(magic)?;
    serde_json::from_slice(reader.frame()?).map_err(|_| Rejection::Malformed)
}

#[cfg(test)]
mod tests {
    use super::{super::super::identity::tests::identity, *};
    use proptest::prelude::*;

    fn question() -> Question {
        Question {
            kernel: "k".into(),
            source: "__kernel void k(void) {}".into(),
            options: "-DN=1".into(),
            device: (1, 2),
            identity: identity(),
            trial: Some(Trial::new([])),
        }
    }

    #[test]
    fn questions_come_back() {
        assert_eq!(Question::decode(&question().encode()), Ok(question()));
        let twice = [question().encode(), question().encode()].concat();
        assert_eq!(Question::decode(&twice), Err(Rejection::Malformed));
        assert_eq!(Question::decode(b""), Err(Rejection::NotACache));
    }

    #[test]
    fn answers_are_found_between_other_words() {
        let ours = Digest::of(b"ours");
        let begun = || Answer::Step(ProbeStep::Building);
        let mut printed = b"running 1 test\nWINDROWA is no answer\n".to_vec();
        printed.extend(begun().encode(ours));
        printed.extend(Answer::Done(9).encode(Digest::of(b"another question")));
        printed.extend(b"WINDROWA\x01\0\0\0 nor this");
        printed.extend(Answer::Done(3).encode(ours));
        assert_eq!(Answer::all(&printed, ours), [begun(), Answer::Done(3)]);
        assert_eq!(Answer::all(&printed[..printed.len() - 1], ours), [begun()]);
        assert_eq!(Answer::all(b"", ours), []);
    }

    proptest! {
        /// Whatever happens to a question on its way, a child tries what was asked or nothing.
        #[test]
        fn a_damaged_question_is_no_other(flips in proptest::collection::vec((any::<usize>(), 1u8..), 1..4), cut in any::<usize>()) {
            let mut bytes = question().encode();
            for (at, bits) in flips {
                let at = at % bytes.len();
                bytes[at] ^= bits;
            }
            bytes.truncate(bytes.len() - cut % 3);
            if let Ok(read) = Question::decode(&bytes) {
                prop_assert_eq!(read, question());
            }
        }
    }
}
