// Uses things up; a program for `build_tool`, which argument `what` tells what, and `n` how much.
use std::io::Write;

fn main() {
    let args = skillz::arguments();
    let n = args["n"].as_i64().unwrap() as usize;
    match args["what"].as_str().unwrap() {
        "compute" => {
            let mut sum = 0u64;
            (0..n as u64).for_each(|i| sum = std::hint::black_box(sum ^ i));
        }
        "sleep" => std::thread::sleep(std::time::Duration::from_millis(n as u64)),
        "memory" => {
            let mut all = vec![];
            (0..n).for_each(|_| all.push(std::hint::black_box(vec![1u8; 1 << 20])));
        }
        "stack" => {
            std::hint::black_box(deep(n as u64));
        }
        "files" => {
            std::fs::write("/tmp/x", "x").unwrap();
            let open: Result<Vec<_>, _> = (0..n).map(|_| std::fs::File::open("/tmp/x")).collect();
            open.unwrap();
        }
        "disk" => std::fs::write("/tmp/big", vec![0u8; n]).unwrap(),
        "stdout" => flood(std::io::stdout(), n),
        "stderr" => flood(std::io::stderr(), n),
        other => panic!("unknown: {other}"),
    }
    println!("done");
}

fn deep(n: u64) -> u64 {
    if n == 0 { 0 } else { deep(std::hint::black_box(n - 1)) + std::hint::black_box(1) }
}

fn flood(mut to: impl Write, n: usize) {
    let piece = [b'x'; 1 << 16];
    (0..n.div_ceil(piece.len())).for_each(|_| to.write_all(&piece).unwrap());
    to.write_all(b"\n").unwrap();
}
