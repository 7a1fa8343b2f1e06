//! Bytes from hexadecimal digits, as people copy them.

use crate::error::CliError;

/// More digits than any datagram has are a mistake.
const MAX_BYTES: usize = 65_535;

/// Reads digits. Spaces, colons, commas, dashes and `0x` before a group do not matter.
pub(super) fn bytes(words: &[String]) -> Result<Vec<u8>, CliError> {
    let is_between = |c: char| c.is_whitespace() || matches!(c, ':' | ',' | '-' | '_');
    let mut digits = Vec::new();
    for group in words.iter().flat_map(|word| word.split(is_between)) {
        let group = group.strip_prefix("0x").or_else(|| group.strip_prefix("0X")).unwrap_or(group);
        for character in group.chars() {
            let digit = character.to_digit(16).and_then(|digit| u8::try_from(digit).ok());
            digits.push(digit.ok_or_else(|| CliError::usage(format_args!("{character:?} is no hexadecimal digit, {OR_FILE}")))?);
        }
        if digits.len() > 2 * MAX_BYTES {
            return Err(CliError::usage(format_args!("these are more than {MAX_BYTES} bytes: no datagram is as long")));
        }
    }
    match digits.as_chunks::<2>() {
        ([], []) => Err(CliError::usage("there are no bytes: write them in hex, such as 07:56:32:52:42, or name a capture")),
        (pairs, []) => Ok(pairs.iter().map(|[high, low]| high << 4 | low).collect()),
        _ => Err(CliError::usage(format_args!("{} digits are not whole bytes: a digit is missing, {OR_FILE}", digits.len()))),
    }
}

const OR_FILE: &str = "and there is no file of this name: write the bytes in hex, such as 07:56:32:52:42, or name a capture";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_read_however_they_are_grouped() {
        let read = |text: &str| bytes(&[text.to_owned()]).map_err(|error| error.to_string());
        for text in ["075632ff", "07 56 32 ff", "07:56:32:FF", "0x075632ff", "0x07, 0x56, 0x32, 0xff", "0756-32ff\n", " 0 7 5 6 3 2 f f"] {
            assert_eq!(read(text), Ok(vec![7, 0x56, 0x32, 0xFF]), "{text}");
        }
        assert_eq!(bytes(&["07".to_owned(), "56".to_owned()]), Ok(vec![7, 0x56]));
        assert!(read("").unwrap_err().starts_with("there are no bytes"));
        assert!(read("075").unwrap_err().starts_with("3 digits are not whole bytes"));
        assert!(read("match.pcap").unwrap_err().starts_with("'m' is no hexadecimal digit"));
        assert!(read(&"00".repeat(MAX_BYTES + 1)).unwrap_err().starts_with("these are more than 65535 bytes"));
    }
}
